"""How errors reach the user: words on stderr, never a stack trace unless ``--debug`` asks for one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from helmguard.errors import HelmguardError


def run_guarded(command: Callable[[], int], *, debug: bool) -> int:
    """Run ``command``; errors become a message, a remedy and the documented exit code."""
    try:
        code = command()
        sys.stdout.flush()
        return code
    except HelmguardError as error:
        _print_error(error.message, error.remedy, debug=debug)
        return error.exit_code
    except KeyboardInterrupt:
        _print_error("interrupted; nothing was changed", "", debug=False)
        return 130
    except BrokenPipeError:
        # The reader (head, less) went away: what it wanted to see, it saw.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
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
