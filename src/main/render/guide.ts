import { mcpEntry } from "../../services/agents/McpEntry.ts"

const entry = JSON.stringify(mcpEntry)

/** What goes into each agent's settings. Source: reference.md section 7. */
export const guideText = `'ctx mcp install' writes these entries, 'ctx hooks install' the hooks that record turns. By hand:

Claude Code — .mcp.json, Cursor — .cursor/mcp.json, Gemini CLI — .gemini/settings.json,
Kimi Code — .kimi-code/mcp.json, Kimi CLI — ~/.kimi/mcp.json, Windsurf — ~/.codeium/windsurf/mcp_config.json
  {"mcpServers":{"contexo":${entry}}}

Codex — ~/.codex/config.toml
  [mcp_servers.contexo]
  command = "npx"
  args = ["-y", "ctx-mcp"]

OpenCode — opencode.json
  {"mcp":{"contexo":{"type":"local","command":["npx","-y","ctx-mcp"]}}}

Hermes — config.yaml
  mcp_servers:
    contexo:
      command: npx
      args: ["-y", "ctx-mcp"]

OpenClaw
  openclaw mcp set contexo '${entry}'

Any other agent: it starts 'npx -y ctx-mcp' in the project's folder and speaks MCP over stdin and stdout;
'ctx-mcp --http' serves MCP over HTTP. 'npm i -g ctx-mcp' makes it start faster, and is what the hooks need.

Claude Code takes the server, the hooks and a skill at once as a plugin: see plugins/claude-code in the package.`
