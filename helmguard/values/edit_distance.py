"""How many slips of the finger lie between two words."""

from __future__ import annotations


def edit_distance(left: str, right: str) -> int:
    """Letters to insert, delete, replace, or to swap with their neighbour (optimal string alignment)."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, start=1):
        here = [row]
        for column, other in enumerate(right, start=1):
            cost = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != other))
            swapped = row > 1 and column > 1 and letter == right[column - 2] and left[row - 2] == other
            here.append(min(cost, before[column - 2] + 1) if swapped else cost)
        before, above = above, here
    return above[-1]
