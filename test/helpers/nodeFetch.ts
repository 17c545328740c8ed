// `undici` from npm, where it is imported before the first request, also sends what the `fetch` of Node is given, and
// refuses a request that states its length twice, as those of `@solana/kit` do. So that no test depends on which file
// its worker ran before, the `fetch` of Node is loaded first.
await fetch('data:,')
