"""A page of HTML read strictly, as a tree: what no tag opened or closed is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser

VOID = frozenset(["br", "hr", "input", "meta"])


class Node:
    """One element with its attributes and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag, self.attributes = tag, attributes
        self.children: list[Node | str] = []

    @property
    def text(self) -> str:
        """All text inside, as a reader gets it from the file."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    def walk(self) -> Iterator[Node]:
        """This element and all inside it, in their order."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, *, tag: str = "", class_: str = "") -> list[Node]:
        """The elements inside with this tag and class."""
        return [
            node
            for node in self.walk()
            if (not tag or node.tag == tag) and (not class_ or class_ in node.classes)
        ]

    def first(self, fits: Callable[[Node], bool]) -> Node:
        return next(node for node in self.walk() if fits(node))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: {attrs}"
        node = Node(tag, dict(attrs))
        self._open[-1].children.append(node)
        if tag not in VOID:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> ends <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def end(self) -> Node:
        self.close()
        assert self._open == [self.root], f"not closed: {[node.tag for node in self._open[1:]]}"
        return self.root


def tree_of(page: str) -> Node:
    """The page's ``html`` element."""
    builder = _Builder()
    builder.feed(page)
    root = builder.end()
    return next(child for child in root.children if isinstance(child, Node))
