import { FastCheck as fc } from "effect"

/** Lines that open, close, continue and break blocks. */
const line = fc.oneof(
  fc.constantFrom(
    "",
    "",
    "  ",
    "text",
    "more text",
    "# One",
    "## Two",
    "## Two ##",
    "## C#",
    "##",
    "## ",
    "   ## Indented",
    "    ## code",
    "\t## code",
    "### Three",
    "Title",
    "---",
    "-",
    "- - -",
    "===",
    "> quote",
    "> ## quoted",
    ">",
    ">> deep",
    "- item",
    "- ## listed",
    "1. one",
    "2) two",
    "  continued",
    "    far",
    "+",
    "```",
    "```bash",
    "````",
    "~~~",
    "``` a`b",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<a href='x'>",
    "<script>",
    "</script>",
    "[a]: /url",
    "[b]: /url 'title'",
    "[c]:",
    '[d]: /url "open',
    'closed"',
    "(also)",
    "***",
    "* * *x",
    "\u2028## no line end",
    "\0## nul",
    "a\\",
    "`code"
  ),
  fc.string({ maxLength: 6 }),
  fc
    .array(fc.constantFrom(">", "-", "*", " ", "1.", "#", "`", "~", "=", "\t", "x"), { maxLength: 8 })
    .map((parts) => parts.join(""))
)

/** Markdown of any kind: every block against every other. */
export const markdown = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n", "\r")), { maxLength: 14 })
  .chain((lines) =>
    fc.boolean().map((ended) =>
      lines
        .flat()
        .slice(0, ended ? undefined : -1)
        .join("")
    )
  )
