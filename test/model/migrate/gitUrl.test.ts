import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Option } from "effect"
import { isGitUrl, parseGitUrl, withoutLogins } from "../../../src/model/migrate/GitUrl.ts"

const read = (text: string) => Either.getOrThrowWith(parseGitUrl(text), (reason) => new Error(`${text}: ${reason}`))
const refused = (text: string) =>
  Either.match(parseGitUrl(text), { onLeft: (reason) => reason, onRight: () => "taken" })

describe("the address of a repository", () => {
  it("is told from a folder", () => {
    for (const url of ["https://h/r", "file:///r", "git@h:r.git", "ext::sh -c x", "foo://h/r", "SSH://h/r"]) {
      expect(isGitUrl(url), url).toBe(true)
    }
    for (const folder of ["notes", "./a:b", "/a/b@c:d", "C:\\notes", "C:/notes", "~/x", "a:b", ""]) {
      expect(isGitUrl(folder), folder).toBe(false)
    }
  })

  it("keeps a login out of what git is told and people see", () => {
    const login = { user: "ada", password: "p@:w/" }
    for (const url of [
      "https://ada:p%40%3Aw%2F@git.example:8443/acme/api.git",
      "https://ada:p@%3Aw%2F@git.example:8443/acme/api.git"
    ]) {
      expect(read(url)).toEqual({
        address: "https://git.example:8443/acme/api.git",
        shown: "https://git.example:8443/acme/api.git",
        scheme: "https",
        login: Option.some(login)
      })
    }
    expect(read("https://token@h/r").login).toEqual(Option.some({ user: "token", password: "" }))
    expect(read("https://h/r?private_token=x")).toMatchObject({
      address: "https://h/r?private_token=x",
      shown: "https://h/r"
    })
    expect(read("ssh://git:pw@h:22/r")).toMatchObject({ address: "ssh://git@h:22/r", login: Option.none() })
    expect(read("git@h:acme/api.git")).toMatchObject({ address: "git@h:acme/api.git", scheme: "ssh" })
    expect(read("git+ssh://git@h/r").address).toBe("ssh://git@h/r")
    expect(read("http://[::1]:80/r").address).toBe("http://[::1]:80/r")
    expect(read("file:///home/a b/r").address).toBe("file:///home/a b/r")
  })

  it("A30: is refused where it could run something, or be taken for an option", () => {
    for (const url of [
      "--upload-pack=touch /tmp/x",
      "-u",
      "ext::sh -c 'touch /tmp/x'",
      "ext::https://h/r",
      "fd::17/x",
      "https::https://h/r",
      "ftp://h/r",
      "ssh://-oProxyCommand=x/r",
      "ssh://git@-oProxyCommand=x/r",
      "ssh://-l@h/r",
      "git@-oProxyCommand=x:r",
      "-oProxyCommand@h:r",
      "git@h:--upload-pack=x",
      "https://h/r\nhost=evil",
      "https://h%0ahost=evil/r",
      "https://h/%0a",
      "https://h\\@evil/r",
      "https://\u202eh/r",
      "https:///r",
      "https://h",
      "https://h/",
      "https://h:port/r",
      "file://server/share/r",
      "file://",
      "git://h y/r",
      ""
    ]) {
      expect(refused(url), url).not.toBe("taken")
    }
  })

  it("never shows a password, whatever the address", () => {
    const part = fc.stringMatching(/^[a-z0-9@:/%?#._~-]{0,12}$/)
    fc.assert(
      fc.property(part, part, (before, after) => {
        const parsed = parseGitUrl(`https://${before.replaceAll("/", "")}:s3cr3t@h.example/${after}`)
        if (Either.isRight(parsed)) {
          expect(parsed.right.address + parsed.right.shown).not.toMatch(/^https:\/\/[^/]*s3cr3t/)
        }
      })
    )
    expect(withoutLogins("unable to access 'https://ada:pw@h/r/?token=x': refused")).toBe(
      "unable to access 'https://h/r/': refused"
    )
  })
})
