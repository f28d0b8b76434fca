import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import {
  type Asker,
  proxyFor,
  proxyHint,
  type ProxySettings,
  proxyVariables,
  unheeded,
  usableVariables
} from "../../../src/model/sync/Proxy.ts"

type Variables = Partial<Record<(typeof proxyVariables)[number], string>>

const settings = (asker: Asker, given: Variables): ProxySettings => ({
  asker,
  variables: new Map(
    proxyVariables.flatMap((name) => {
      const text = given[name]
      return text === undefined ? [] : [[name, text] as const]
    })
  )
})

const via = (asker: Asker, given: Variables, server = "https://ctx.example.com/team") =>
  Option.match(proxyFor(settings(asker, given), new URL(server)), {
    onNone: () => "directly",
    onSome: ({ address, variable }) => `${variable} ${address}`
  })

const complaints = (asker: Asker, given: Variables) =>
  unheeded(settings(asker, given)).map(({ reason, variable }) => `${variable}: ${reason}`)

const proxy = "http://ada:s3cret@proxy.lan:3128"

describe("A38: which proxy a server is asked through", () => {
  it("is that of its scheme, in lower case first; Node falls back on that of http, Deno on that of all", () => {
    expect(via("node", { HTTPS_PROXY: proxy })).toBe("HTTPS_PROXY http://proxy.lan:3128")
    expect(via("node", { HTTPS_PROXY: proxy, https_proxy: "http://other:1" })).toBe("https_proxy http://other:1")
    expect(via("node", { HTTPS_PROXY: proxy }, "http://ctx.example.com")).toBe("directly")
    expect(via("node", { HTTP_PROXY: proxy, ALL_PROXY: proxy })).toBe("HTTP_PROXY http://proxy.lan:3128")
    expect(via("deno", { HTTP_PROXY: proxy, ALL_PROXY: "socks5://s:1" })).toBe("ALL_PROXY socks5://s:1")
    expect(via("deno", { HTTPS_PROXY: "proxy.lan:3128" })).toBe("HTTPS_PROXY http://proxy.lan:3128")
    expect(via("old-node", { HTTPS_PROXY: proxy })).toBe("directly")
  })

  it.each([
    ["*", "directly"],
    ["other.example, *", "directly"],
    ["ctx.example.com", "directly"],
    [".example.com other", "directly"],
    ["*.example.com", "directly"],
    ["example.com:443", "directly"],
    ["example.com:80", "HTTPS_PROXY http://proxy.lan:3128"],
    ["ample.com", "HTTPS_PROXY http://proxy.lan:3128"]
  ])("is none where NO_PROXY says so: %s", (list, expected) =>
    expect(via("node", { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(expected)
  )

  it("hands Node what it understands, and nothing that it would stumble over", () => {
    const given = { HTTPS_PROXY: "a b", http_proxy: ` ${proxy} `, ALL_PROXY: proxy, NO_PROXY: "::1, b.example *.c" }
    expect(Object.fromEntries(usableVariables(settings("node", given)))).toEqual({
      http_proxy: proxy,
      NO_PROXY: "[::1],b.example,*.c"
    })
    expect(usableVariables(settings("node", { NO_PROXY: "a, *" })).get("NO_PROXY")).toBe("*")
  })
})

describe("A38: a proxy variable that nothing comes of is named, with the reason", () => {
  const socks = "socks5://ada:s3cret@proxy.lan:1080"
  it.each<[Asker, Variables, ReadonlyArray<string>]>([
    ["node", { HTTPS_PROXY: proxy, NO_PROXY: "localhost,.example.com,a:1,::1" }, []],
    ["node", { HTTPS_PROXY: socks }, ["HTTPS_PROXY: socks5:// is no kind of proxy that works here"]],
    ["deno", { HTTPS_PROXY: socks }, []],
    ["deno", { https_proxy: "socks://x" }, ["https_proxy: socks:// is no kind of proxy that works here"]],
    ["node", { HTTPS_PROXY: "ada:s3cret@proxy.lan" }, ["HTTPS_PROXY: it is not the URL of a proxy"]],
    ["node", { HTTP_PROXY: "http://ada:s3cret@a b" }, ["HTTP_PROXY: it is not the URL of a proxy"]],
    ["node", { ALL_PROXY: proxy }, ["ALL_PROXY: Node does not honour it"]],
    ["node", { ALL_PROXY: proxy, HTTP_PROXY: proxy }, []],
    ["deno", { ALL_PROXY: proxy }, []],
    ["old-node", { HTTPS_PROXY: proxy, NO_PROXY: "*" }, ["HTTPS_PROXY: this Node honours no proxy variables"]],
    ["node", { NO_PROXY: "10.0.0.0/8" }, []],
    [
      "node",
      { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8 10.0.0.1-10.0.0.9 a.*.example http://ada:s3cret@x" },
      ["NO_PROXY: what it says of 10.0.0.0/8, 10.0.0.1-10.0.0.9, a.*.example and 1 more is not understood here"]
    ],
    [
      "deno",
      { HTTPS_PROXY: proxy, no_proxy: "a:80 10.0.0.0/8" },
      ["no_proxy: what it says of a:80 is not understood here"]
    ]
  ])("%s %j", (asker, given, expected) => expect(complaints(asker, given)).toEqual(expected))

  it("with what to do, and never with the proxy's password", () => {
    const hint = (given: Variables) => proxyHint(settings("node", given), new URL("https://ctx.example.com"))
    expect(hint({})).toBe("")
    expect(hint({ HTTPS_PROXY: proxy, NO_PROXY: "http://ada:s3cret@x" })).toBe(
      "HTTPS_PROXY names the proxy http://proxy.lan:3128: correct it if that is wrong, or name ctx.example.com in NO_PROXY; " +
        "NO_PROXY is set, but what it says of an entry with an @ is not understood here: " +
        "name each host in full, or a domain as .example.com"
    )
    expect(hint({ HTTPS_PROXY: "ada:s3cret@proxy.lan:3128" })).toBe(
      "HTTPS_PROXY is set, but it is not the URL of a proxy: write HTTPS_PROXY as http://host:port"
    )
  })
})
