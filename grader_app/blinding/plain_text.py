"""Text without the marks that give its writer away: no Markdown, one kind of quote, dash and space."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        **dict.fromkeys("\u2014\u2015", "\u2014"),
        **dict.fromkeys(
            "\t\v\f\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))), " "
        ),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
        "\u2026": "...",
    }
)
_LINE_END = re.compile("\r\n?|[\x85\u2028\u2029]")
_LONG_DASH = re.compile("(?<=[^\n ]) *\u2014 *(?=[^\n ])")
_SPACES = re.compile(" {2,}")
_BLANK_LINES = re.compile("\n{3,}")

_FENCE = re.compile(r"(`{3,}|~{3,})[\w+.#-]*")
_RULE = re.compile(r"-{3,}|\*{3,}|_{3,}|={3,}|- - -[ -]*")
_QUOTE = re.compile(r"(> ?)+(?=\s|$)|(> ?)*> ")
_HEADING = re.compile(r"#{1,6} +(?P<text>.*?)( +#+)?$")
_BULLET = re.compile("[*+\u2022\u2023\u25e6\u25aa\u25cf\u2014] +(?=.)")
_TABLE_RULE = re.compile(r"\|? *:?-+:? *(\| *:?-+:? *)+\|?|\| *:?-{2,}:? *\|")
_OMISSION = "* * *"  # left out of a quotation

_ADDRESS = r"(?:https?://|www\.|mailto:|/|#)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*"
_INLINE = (
    (re.compile(rf'!?\[([^\[\]\n]*)\]\(<?{_ADDRESS}>?(?: +"[^"\n]*")?\)'), r"\1"),
    (re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>"), r"\1"),
    (re.compile(r"</?(?:b|i|em|strong|u|sup|sub|mark)>", re.IGNORECASE), ""),
    (re.compile(r"<br ?/?>", re.IGNORECASE), " "),
    (re.compile(r"(?<!`)`([^`\n]+)`(?!`)"), r"\1"),
    (re.compile(r"~~(?=[^\s~])([^~\n]*[^\s~])~~"), r"\1"),
    (re.compile(r"(?<![\w*\\])\*\*\*(?=[^\s*])([^\n]+?)(?<=\S)\*\*\*(?!\*)"), r"\1"),
    (re.compile(r"(?<![\w*\\])\*\*(?=[^\s*])([^\n]+?)(?<=\S)\*\*(?!\*)"), r"\1"),
    (re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w\\])__(?=[^\s_])([^\n]*?[^\s_])__(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w\\])_(?=[^\s_])([^_\n]*[^\s_])_(?!\w)"), r"\1"),
    (re.compile(r"\\(?=[*_#$`~|>+.-])"), ""),
)


def plain(text: str) -> str:
    r"""Strip Markdown and unify quotes, dashes and spaces.

    Parameters
    ----------
    text
        An answer.

    Returns
    -------
    str
        The same words. Headings, emphasis, code marks, block quotes, rules and links (but not their text)
        are gone, bullets are dashes, table cells are parted by semicolons, curly quotes are straight,
        dashes are hyphens, an em dash stands between spaces, and no space or blank line is doubled.

    Notes
    -----
    What only looks like Markdown stays: ``§ 2-207[2](b)``, ``$5``, ``5 * 3``, ``file_name``, ``1.``,
    ``# 3 of the lease`` inside a sentence, and ``* * *`` where a quotation leaves something out.
    A plain text stays as it is.

    Examples
    --------
    >>> plain("## Issue\n\n* **Buyer\u2019s** claim \u2014 see [the code](https://example.org/ucc)")
    "Issue\n\n- Buyer's claim - see the code"
    """
    before = None
    # Marks can hide in marks (a bold heading in a quote); what is left when nothing changes is plain.
    while text != before:
        before = text
        text = _once(text)
    return text


def _once(text: str) -> str:
    text = _LINE_END.sub("\n", text.translate(_CHARACTERS))
    text = "\n".join(_lines([line.strip() for line in text.split("\n")]))
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    text = _LONG_DASH.sub(" - ", text).replace("\u2014", "-")
    text = "\n".join(line.strip() for line in _SPACES.sub(" ", text).split("\n"))
    return _BLANK_LINES.sub("\n\n", text).strip()


def _lines(lines: list[str]) -> Iterator[str]:
    """Take the marks off the lines; a mark that takes the whole line takes the line."""
    in_table = _table_lines(lines)
    previous = ""
    for number, line in enumerate(lines):
        if _FENCE.fullmatch(line):
            continue
        if _RULE.fullmatch(line):
            yield ""
        elif number in in_table:
            if not _TABLE_RULE.fullmatch(line):
                yield "; ".join(cell.strip() for cell in line.strip("| ").split("|"))
        else:
            yield _without_mark(line, previous)
        previous = line


def _table_lines(lines: list[str]) -> set[int]:
    """Find the lines of tables: framed by pipes, or around a line of dashes and pipes."""
    found = {n for n, line in enumerate(lines) if re.fullmatch(r"\|.*\|.*\|", line)}
    for ruled in (n for n, line in enumerate(lines) if _TABLE_RULE.fullmatch(line)):
        if ruled and "|" in lines[ruled - 1]:
            found.add(ruled - 1)
        after = ruled
        while after < len(lines) and "|" in lines[after]:
            found.add(after)
            after += 1
    return found


def _without_mark(line: str, previous: str) -> str:
    """Take a quote, heading or bullet mark off the start of a line."""
    line = _QUOTE.sub("", line, count=1) if line.startswith(">") else line
    if line == _OMISSION:
        return line
    # A number after the mark, below a line of text: `# 3 of the lease` or `* 2` in a wrapped sentence.
    in_sentence = previous and not _BULLET.match(previous) and previous[0] not in "-#"
    if in_sentence and re.match(r"[#*+] \d", line):
        return line
    if heading := _HEADING.match(line):
        return heading["text"]
    return _BULLET.sub("- ", line, count=1) if _BULLET.match(line) else line
