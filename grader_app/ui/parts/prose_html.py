"""The panel's own Markdown as HTML for plain pages: headings, lists, paragraphs, and nothing else."""

from __future__ import annotations

import re
from html import escape

_INLINE = re.compile(r"(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)")


def prose_html(text: str, heading: int = 4) -> str:
    r"""Write a prompt, ruling or document of the panel as HTML; every other character is escaped.

    Parameters
    ----------
    text
        Its headings, of whatever depth, are all one below the heading that stands above it on the page.
    heading
        The level they get.

    Examples
    --------
    >>> prose_html("# Call\n\nDiscuss **both** sides of 1 < 2.")
    '<h4>Call</h4>\n<p>Discuss <strong>both</strong> sides of 1 &lt; 2.</p>'
    >>> prose_html("**Mark `logic-error`.**")
    '<p><strong>Mark <code>logic-error</code>.</strong></p>'
    >>> prose_html("- one\n- two")
    '<ul><li>one</li><li>two</li></ul>'
    """
    blocks: list[str] = []
    items: list[str] = []
    kind = ""

    def end_list() -> None:
        if items:
            opening = f"<{kind}>" if kind in ("ul", "ol") else f'<ol start="{kind[2:]}">'
            listed = "".join(f"<li>{item}</li>" for item in items)
            blocks.append(f"{opening}{listed}</{kind[:2]}>")
            items.clear()

    for part in re.split(r"\n{2,}", text.replace("\r\n", "\n").replace("\r", "\n")):
        held: list[str] = []
        for line in filter(str.strip, part.split("\n")):
            titled = re.match(r"(#{1,4})\s+(.*)", line)
            bullet = re.match(r"\s*(?:[-*]|(\d+)[.)])\s+(.*)", line)
            if bullet:
                if not items or (kind[:2] == "ol") != bool(bullet[1]):
                    _paragraph(blocks, held)
                    end_list()
                    kind = "ul" if not bullet[1] else "ol" if bullet[1] == "1" else f"ol{bullet[1]}"
                items.append(_inline(bullet[2]))
            elif items and re.match(r"\s{2,}", line):
                items[-1] += " " + _inline(line.strip())
            else:
                end_list()
                if titled:
                    _paragraph(blocks, held)
                    blocks.append(f"<h{heading}>{_inline(titled[2])}</h{heading}>")
                else:
                    held.append(line.strip())
        _paragraph(blocks, held)
    end_list()
    return "\n".join(blocks)


def _paragraph(blocks: list[str], held: list[str]) -> None:
    if held:
        blocks.append(f"<p>{_inline(' '.join(held))}</p>")
        held.clear()


def _inline(text: str) -> str:
    found = []
    for part in _INLINE.split(text):
        for mark, tag in (("**", "strong"), ("*", "em"), ("`", "code")):
            if len(part) > 2 * len(mark) and part.startswith(mark) and part.endswith(mark):
                inside = part[len(mark) : -len(mark)]
                found.append(f"<{tag}>{escape(inside) if tag == 'code' else _inline(inside)}</{tag}>")
                break
        else:
            found.append(escape(part))
    return "".join(found)
