"use strict"

// `ctx-mcp hook`: runs at every turn of an agent, so what has nothing to do ends here, before anything is loaded. Plain
// CommonJS in old syntax, without Effect. It decides only what is certain; `src/main/hook/run.ts` decides the rest again.
var fs = require("fs")
var path = require("path")

/** Never fails and says nothing: hosts take an exit code for a verdict, and output for an answer. */
module.exports = function hook(argv) {
  try {
    if (process.env.CONTEXO_CAPTURE_DISABLE === "1") return
    var event = readEvent()
    if (event === undefined) return
    var plain = argv.length === 0 || (argv.length === 2 && argv[0] === "--agent")
    if (plain && hasNothingToDo(argv[1] || "claude", event)) return
    var enableCompileCache = require("module").enableCompileCache
    if (enableCompileCache !== undefined) enableCompileCache()
    // Built beside this file.
    var run = "./hook-run.cjs"
    require(run).runHook(argv, event)
  } catch {
    // A Node too old for the rest, or a package half removed.
  }
}

function readEvent() {
  // A terminal, or nothing. (`process.stdin` would load what streams need.)
  if (fs.fstatSync(0).isCharacterDevice()) return undefined
  var parts = []
  var chunk = Buffer.allocUnsafe(65536)
  for (var total = 0; total < 64 * 1024 * 1024;) {
    var got = readSome(chunk)
    if (got === 0) break
    total += got
    parts.push(Buffer.from(chunk.subarray(0, got)))
    // Not every host closes its end: a whole object is enough.
    if (/\}\s*$/.test(chunk.toString("latin1", Math.max(0, got - 16), got))) {
      var event = parsed(Buffer.concat(parts))
      if (event !== undefined) return event
    }
  }
  return parsed(Buffer.concat(parts))
}

function parsed(bytes) {
  try {
    var value = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""))
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function readSome(chunk) {
  for (var tries = 0; tries < 500; tries++) {
    try {
      return fs.readSync(0, chunk, 0, chunk.length, null)
    } catch (error) {
      if (error.code !== "EAGAIN") return 0
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
  return 0
}

function hasNothingToDo(agent, event) {
  try {
    return isOver(agent, event)
  } catch {
    // No state yet, or nothing that can be read: not certain.
    return false
  }
}

function isOver(agent, event) {
  if (agent !== "cursor" && "cursor_version" in event) return true
  if (filled(event.agent_id)) return true
  // Named by hand: rare, and read where the rules are.
  if (filled(process.env.CONTEXO_ROOT)) return false
  var folders = [event.cwd].concat(Array.isArray(event.workspace_roots) ? event.workspace_roots : []).filter(filled)
  if (folders.length === 0) folders = [process.cwd()]
  if (isSubscribed(folders)) return false
  for (var index = 0; index < folders.length; index++) {
    var store = nearestStore(path.resolve(folders[index]))
    if (store === "unsure") return false
    if (store !== undefined) return hasNothingNew(store, event)
  }
  return true
}

/** Whether the registry of context paging names one of the folders, or one above: as `src/services/paging/RegistryDriver.ts`. */
function isSubscribed(folders) {
  var home = process.env.XDG_CONFIG_HOME || path.join(process.env.HOME || require("os").homedir(), ".config")
  var registry
  try {
    registry = parsed(fs.readFileSync(path.join(home, "context-paging", "projects.json")))
  } catch {
    return false
  }
  if (registry === undefined) return false
  return folders.some(function (folder) {
    var named = path.resolve(folder)
    var starts = [named]
    try {
      starts.push(fs.realpathSync.native(named))
    } catch {
      // Not there any more.
    }
    return starts.some(function (start) {
      for (var root = start; ; root = path.dirname(root)) {
        if (typeof registry[root] === "object" && registry[root] !== null) return true
        if (root === path.dirname(root)) return false
      }
    })
  })
}

/** The nearest `.contexo/`, not above the top of a repository; unsure in a linked worktree. */
function nearestStore(from) {
  var folder = from
  try {
    folder = fs.realpathSync.native(from)
  } catch {
    // Not there any more: what lies above it is.
  }
  for (;;) {
    var store = path.join(folder, ".contexo")
    if (isFolder(store)) return store
    var git = fs.statSync(path.join(folder, ".git"), { throwIfNoEntry: false })
    if (git !== undefined) return git.isDirectory() ? undefined : "unsure"
    if (folder === path.dirname(folder)) return undefined
    folder = path.dirname(folder)
  }
}

function isFolder(name) {
  var stats = fs.statSync(name, { throwIfNoEntry: false })
  return stats !== undefined && stats.isDirectory()
}

/** Whether the transcript is as it was, its last turn is recorded, and the event tells nothing that it did not tell before. */
function hasNothingNew(store, event) {
  if (event.prompt !== undefined || !filled(event.transcript_path)) return false
  if (typeof event.session_id !== "string" || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,119}$/.test(event.session_id)) return false
  var stats = fs.statSync(event.transcript_path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  var file = path.join(store, ".sync", "capture", event.session_id + ".json")
  var state = parsed(fs.readFileSync(file))
  var known = state && state.transcripts && state.transcripts[event.transcript_path]
  if (!known || known.settled !== true || known.inode !== stats.dev + ":" + stats.ino) return false
  if (known.size !== stats.size || known.changed !== stats.mtimeMs) return false
  var reply = [event.last_assistant_message, event.prompt_response].find(isText)
  if (reply === undefined) return true
  var turn = [event.prompt_id, event.turn_id, event.generation_id].find(filled)
  return state.said === textHash((turn === undefined ? "" : turn) + "\n" + reply)
}

function isText(value) {
  return typeof value === "string"
}

function filled(value) {
  return isText(value) && value !== ""
}

/** As `src/model/text/TextHash.ts`. */
function textHash(text) {
  var a = 0xdeadbeef
  var b = 0x41c6ce57
  for (var index = 0; index < text.length; index++) {
    var unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, "0")
}
