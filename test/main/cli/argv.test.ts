import { describe, expect, it } from "@effect/vitest"
import { Options } from "@effect/cli"
import { Either, FastCheck as fc, Option } from "effect"
import { readArgv, shapeOf } from "../../../src/main/cli/frame/argv.ts"

const shapes = [
  Options.text("message").pipe(Options.withAlias("m"), Options.optional),
  Options.boolean("yes").pipe(Options.withAlias("y")),
  Options.text("tag").pipe(Options.repeated),
  Options.integer("limit").pipe(Options.withDefault(20)),
  Options.boolean("json")
].map(shapeOf)

const read = (...argv: ReadonlyArray<string>) => Either.getOrThrowWith(readArgv(shapes, argv), (why) => new Error(why))
const wrong = (...argv: ReadonlyArray<string>) => Either.getOrThrow(Either.flip(readArgv(shapes, argv)))

describe("the spelling of a command line", () => {
  it.each([
    [["-m", "a message"]],
    [["-ma message"]],
    [["-m=a message"]],
    [["--message", "a message"]],
    [["--message=a message"]]
  ])("%j gives the message", (argv) => {
    expect(read(...argv)).toEqual({
      options: ["--message=a message"],
      positionals: [],
      help: false,
      root: Option.none()
    })
  })

  it("reads short options in one word, the last one with its value", () => {
    expect(read("-ym", "text").options).toEqual(["--message=text", "--yes"])
    expect(read("-ymtext").options).toEqual(["--message=text", "--yes"])
  })

  it("takes a value as it is, whatever it looks like", () => {
    expect(read("-m", "--help")).toMatchObject({ options: ["--message=--help"], help: false })
    expect(read("--message", "--yes").options).toEqual(["--message=--yes"])
    expect(read("--message=a=b").options).toEqual(["--message=a=b"])
    expect(read("--message", "").options).toEqual(["--message", ""])
  })

  it("takes what follows -- as arguments, and - as one", () => {
    expect(read("a", "--", "--yes", "-h", "--")).toMatchObject({
      options: [],
      positionals: ["a", "--yes", "-h", "--"],
      help: false
    })
    expect(read("-", "--yes")).toMatchObject({ options: ["--yes"], positionals: ["-"] })
  })

  it("collects what may be repeated, and lets the last of anything else win", () => {
    expect(read("--tag", "a", "--limit", "1", "--tag=b", "--limit=2").options).toEqual([
      "--tag",
      "a",
      "--tag",
      "b",
      "--limit=2"
    ])
  })

  it("reads a flag that is set or unset by name", () => {
    expect(read("--yes=true").options).toEqual(["--yes"])
    expect(read("--yes", "--yes=false").options).toEqual([])
  })

  it("knows --root and --help at every command", () => {
    expect(read("--root", "x", "--help")).toMatchObject({ help: true, root: Option.some("x") })
    expect(read("-h").help).toBe(true)
  })

  it("says what is wrong, with the nearest option", () => {
    expect(wrong("--mesage", "x")).toBe("unknown option --mesage (nearest: --message)")
    expect(wrong("-x")).toMatch(/^unknown option -x /)
    expect(wrong("--message")).toBe("--message needs a value (--message text)")
    expect(wrong("--yes=maybe")).toBe("--yes takes no value")
    expect(wrong("--tag", "--help")).toBe("--tag needs a value, not --help")
  })

  it("never loses or invents a word: every value and argument comes out as it went in", () => {
    const word = fc.string()
    fc.assert(
      fc.property(fc.option(word), fc.array(word), fc.boolean(), (message, args, yes) => {
        const argv = [...(message === null ? [] : ["-m", message]), ...(yes ? ["-y"] : []), "--", ...args]
        const { options, positionals } = read(...argv)
        expect(positionals).toEqual(args)
        const spelled = message === null ? [] : message === "" ? ["--message", ""] : [`--message=${message}`]
        expect(options).toEqual([...spelled, ...(yes ? ["--yes"] : [])])
      })
    )
  })
})
