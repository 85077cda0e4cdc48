"""The plugin for OpenCode, which has no settings for hooks but loads JavaScript."""

import json

PLUGIN = """\
// Written by `gw hook install opencode`; `gw hook uninstall opencode` removes it.
import { spawn } from "node:child_process"

const command = COMMAND

// one hook at a time, in order: what a call wrote must be seen before the next one begins
let last = Promise.resolve({})
const run = (payload) =>
  (last = last.then(
    () =>
      new Promise((resolve) => {
        const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "pipe"] })
        let out = ""
        let err = ""
        child.stdout.on("data", (data) => (out += data))
        child.stderr.on("data", (data) => (err += data))
        child.stdin.on("error", () => {})
        const failed = (why) => resolve({ systemMessage: String(why).trim() })
        child.on("error", (error) => failed("groundwire: " + error.message))
        child.on("close", (code) => {
          if (code !== 0) return failed(err)
          try {
            resolve(out ? JSON.parse(out) : {})
          } catch (error) {
            failed("groundwire: the hook gave no JSON")
          }
        })
        child.stdin.end(JSON.stringify(payload))
      }),
  ))

export const Groundwire = async ({ client, directory }) => {
  const started = new Set()
  const tell = async (message) => {
    if (!message) return
    const body = { message, variant: "warning" }
    await client.tui?.showToast?.({ body }).catch(() => {})
    const log = { service: "groundwire", level: "warn", message }
    await client.app?.log?.({ body: log }).catch(() => {})
  }
  const send = async (name, session, more = {}) => {
    if (name !== "SessionStart" && !started.has(session)) await send("SessionStart", session)
    started.add(session)
    const common = { hook_event_name: name, session_id: session, cwd: directory }
    const answer = await run({ ...common, ...more })
    await tell(answer.systemMessage)
    return answer
  }
  const stop = async (session) => {
    const messages = (await client.session.messages({ path: { id: session } })).data ?? []
    const words = messages
      .filter((one) => one.info.role === "assistant")
      .map((one) => one.parts.filter((part) => part.type === "text").map((part) => part.text))
      .filter((texts) => texts.length)
    const message = (words.at(-1) ?? []).join("\\n")
    const answer = await send("Stop", session, { last_assistant_message: message })
    if (answer.decision !== "block") return
    const parts = [{ type: "text", text: answer.reason }]
    await client.session.promptAsync({ path: { id: session }, body: { parts } })
  }
  return {
    event: async ({ event }) => {
      if (event.type === "session.created") await send("SessionStart", event.properties.info.id)
      if (event.type === "session.idle") await stop(event.properties.sessionID)
    },
    "tool.execute.before": async (input, output) => {
      const call = { tool_name: input.tool, tool_use_id: input.callID, tool_input: output.args }
      await send("PreToolUse", input.sessionID, call)
    },
    "tool.execute.after": async (input, output) => {
      const { title, metadata } = output
      const call = { tool_name: input.tool, tool_use_id: input.callID, tool_input: input.args }
      const tool_response = { output: output.output, title, exit_code: metadata?.exit }
      await send("PostToolUse", input.sessionID, { ...call, tool_response })
    },
  }
}
"""


def command_in(plugin: str) -> list[str] | None:
    """The command a written plugin runs."""
    start = "const command = "
    for line in plugin.splitlines():
        if line.startswith(start):
            return [str(word) for word in json.loads(line.removeprefix(start))]
    return None
