"""How errors reach the user: words on stderr, never a stack trace unless ``--debug`` asks for one."""

from __future__ import annotations

import sys
from collections.abc import Callable

from helmguard.cli.standard_streams import abandon_stdout
from helmguard.errors import HelmguardError, ValuesError


def run_guarded(command: Callable[[], int], *, debug: bool) -> int:
    """Run ``command``; errors become a message, a remedy and the documented exit code.

    Whatever the end, no helm is left running.
    """
    code = 0
    try:
        code = _exit_code(command)
        sys.stdout.flush()
        return code
    except ValuesError as error:
        from helmguard.masking.masker import Masker

        _print_error(Masker().text(error.message), error.remedy, debug=debug)
        return error.exit_code
    except HelmguardError as error:
        _print_error(error.message, error.remedy, debug=debug)
        return error.exit_code
    except KeyboardInterrupt:
        _print_error("interrupted; nothing was changed", "", debug=False)
        return 130
    except BrokenPipeError:
        abandon_stdout()
        return code
    except RecursionError:
        _print_error("the input is nested too deeply to be read", "", debug=debug)
        return 1
    except MemoryError:
        _print_error("out of memory", "", debug=False)
        return 1
    except OSError as error:
        _print_error(_describe_os_error(error), "", debug=debug)
        return 1
    except Exception as error:
        _print_error(
            f"internal error ({type(error).__name__}); nothing was changed",
            "Run again with --debug for the details; they may show values from your cluster.",
            debug=debug,
        )
        return 1
    finally:
        _stop_programs()


def _exit_code(command: Callable[[], int]) -> int:
    try:
        return command()
    except SystemExit as end:
        # argparse's --help, and SIGTERM.
        return end.code if isinstance(end.code, int) else 1


def _stop_programs() -> None:
    process = sys.modules.get("helmguard.helm.process")
    if process is not None:
        process.stop_running()


def _describe_os_error(error: OSError) -> str:
    name = f"{error.filename}: " if error.filename else ""
    return f"{name}{error.strerror or error}"


def _print_error(message: str, remedy: str, *, debug: bool) -> None:
    if debug:
        import traceback

        traceback.print_exc(file=sys.stderr)
    from helmguard.report.escaping import escape_text

    print(f"Error: {escape_text(message)}", file=sys.stderr)
    if remedy:
        print(escape_text(remedy), file=sys.stderr)
