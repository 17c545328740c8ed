/** Generates functions that send their requests through `programs/orvalFetch.ts`. */
export default {
  kassa: {
    input: '.kassa/openapi.json',
    output: {
      target: '.kassa/orval.ts',
      client: 'fetch',
      override: { mutator: { path: 'programs/orvalFetch.ts', name: 'send' } },
    },
  },
}
