"""Whether what a saved plan shows is what it would execute: nobody but the file's maker put them together."""

from __future__ import annotations

from helmguard.errors import SavedPlanError
from helmguard.masking.masker import Masker
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.archive import damaged
from helmguard.saved_plan.command import check_command
from helmguard.saved_plan.given import masked_given
from helmguard.saved_plan.read import SavedPlan
from helmguard.saved_plan.staleness import differences


def refuse_other_than_shown(saved: SavedPlan) -> None:
    """Compare the page's record with the plan's JSON, and what is sealed with the command that is shown.

    Executing looks at the JSON, a page is made of the record. That record may be another version's; then
    this helmguard cannot show a page of it either.

    Raises:
        SavedPlanError: they are not the same, or what is sealed is another version's.
    """
    secret = saved.secret_plan()
    if secret is not None:
        try:
            check_command(saved.header, masked_given(saved.given, Masker.for_plan(secret)))
        except ValueError as error:
            raise damaged(saved.path, str(error)) from None
    try:
        shown = saved.masked_plan()
    except SavedPlanError:
        return
    found = differences(saved.plan, plan_to_dict(shown))
    if found:
        first = f"{found[0].what} {found[0].name}".strip()
        raise damaged(saved.path, f"its page does not tell what its JSON tells ({first})")
