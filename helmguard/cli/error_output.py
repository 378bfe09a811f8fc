"""How errors reach the user: words on stderr, never a stack trace unless ``--debug`` asks for one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from helmguard.cli.standard_streams import abandon_stdout
from helmguard.errors import HelmguardError


def run_guarded(command: Callable[[], int], *, debug: bool) -> int:
    """Run ``command``; errors become a message, a remedy and the documented exit code.

    Whatever the end, no helm is left running, and no file that it was given.
    """
    code = 0
    try:
        code = _exit_code(command)
        # SIGTERM, or an interface that was left while helm ran.
        print(untold(), end="", file=sys.stderr)
        sys.stdout.flush()
        return code
    except HelmguardError as error:
        from helmguard.masking.masked_errors import mask_error

        mask_error(error)
        _print_error(_with_what_was_done(error.message), _after_helm() or error.remedy, debug=debug)
        return error.exit_code
    except KeyboardInterrupt:
        _print_error(f"interrupted; {_changed()}", _after_helm(), debug=False)
        return 130
    except BrokenPipeError:
        abandon_stdout()
        return code
    except RecursionError:
        message = _with_what_was_done("the input is nested too deeply to be read")
        _print_error(message, _after_helm(), debug=debug)
        return 1
    except MemoryError:
        _print_error(_with_what_was_done("out of memory"), _after_helm(), debug=False)
        return 1
    except OSError as error:
        _print_error(_with_what_was_done(_describe_os_error(error)), _after_helm(), debug=debug)
        return 1
    except Exception as error:
        _print_error(
            f"internal error ({type(error).__name__}); {_changed()}",
            _after_helm() or "Run again with --debug for the place where it happened.",
            debug=debug,
        )
        return 1
    finally:
        stop_programs()


def tell_failed_thread(failed: threading.ExceptHookArgs) -> None:
    """Python would print the error's words, which may hold anything."""
    name = failed.exc_type.__name__ if failed.exc_type else "error"
    print(f"Error: internal error ({name}) in the background", file=sys.stderr)


def _exit_code(command: Callable[[], int]) -> int:
    try:
        return command()
    except SystemExit as end:
        # argparse's --help, and SIGTERM.
        return end.code if isinstance(end.code, int) else 1


def _changed() -> str:
    acted = sys.modules.get("helmguard.execute.acted")
    return (acted.what_was_done() if acted is not None else "") or "nothing was changed"


def _with_what_was_done(message: str) -> str:
    """Nothing is added where the command is none that could have done anything."""
    acted = sys.modules.get("helmguard.execute.acted")
    return message if acted is None else str(acted.with_what_was_done(message))


def _after_helm() -> str:
    """What to run where helm has acted and its outcome was not told, else empty."""
    acted = sys.modules.get("helmguard.execute.acted")
    command = acted.status_command() if acted is not None else ""
    return f"To see the state of the release, run: {command}" if command else ""


def untold() -> str:
    """What must be said at the end: helm was run, and what came of it was not told. Empty where it was."""
    command = _after_helm()
    if not command:
        return ""
    from helmguard.report.escaping import escape_text

    return f"Error: {escape_text(_changed())}\n{escape_text(command)}\n"


def stop_programs() -> None:
    """End every helm that renders, and remove what was written for it; a helm that acts goes on."""
    process = sys.modules.get("helmguard.helm.process")
    if process is not None:
        process.stop_running()
    folders = sys.modules.get("helmguard.helm.temporary_folder")
    if folders is not None:
        folders.remove_left_folders()


def _stack_trace() -> str:
    """The places that led to the error and to those it comes from, without their words: those may hold
    anything."""
    import traceback

    parts: list[str] = []
    error = sys.exception()
    while error is not None:
        places = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"Traceback (most recent call last):\n{places}{type(error).__name__}")
        error = error.__cause__ or error.__context__
    return "\n\nwhich comes from:\n\n".join(parts)


def _describe_os_error(error: OSError) -> str:
    name = f"{error.filename}: " if error.filename else ""
    return f"{name}{error.strerror or error}"


def _print_error(message: str, remedy: str, *, debug: bool) -> None:
    from helmguard.report.escaping import escape_text

    if debug:
        print(escape_text(_stack_trace()), file=sys.stderr)

    print(f"Error: {escape_text(message)}", file=sys.stderr)
    if remedy:
        print(escape_text(remedy), file=sys.stderr)
