/**
 * AutoDream for OpenClaw: hooks only, no memory slot, no tools.
 *
 * `agent_end` writes a turn's new messages to the agent's diary, `before_prompt_build` puts recalled memories before
 * the prompt, `before_compaction` writes what is still waiting. Nothing here may break or delay a turn: every handler
 * ends within its time limit and never throws.
 */
import { createPlugin } from "./lib/plugin.js";

export default {
  id: "autodream",
  name: "AutoDream",
  description: "Long-term memory from the agent's diary.",
  register(api) {
    createPlugin(api).register();
  },
};
