import { builtinEnvironments, type Environment } from 'vitest/runtime'

/** A document by happy-dom, with Node's own network: happy-dom's `fetch` fails on answers without a body. */
export default {
  ...builtinEnvironments['happy-dom'],
  name: 'dom-with-network',
  setup: async (global, options) => {
    const { fetch, Headers, Request, Response, AbortController, AbortSignal } = global
    const environment = await builtinEnvironments['happy-dom'].setup(global, options)
    Object.assign(global, { fetch, Headers, Request, Response, AbortController, AbortSignal })
    return environment
  },
} satisfies Environment
