/**
 * What stands at the head of each entry's page: what its names are for.
 * @type {Readonly<Record<string, string>>}
 */
export const introductions = {
  kassa: `Provider, hooks and parts, for React.

\`Checkout\` holds every part, with the types of its props and state: \`Checkout.Pay\`, \`Checkout.Pay.Props\`, \`Checkout.Pay.State\`. Server components may render parts, too.`,
  panel:
    'The panel of `Checkout` for a lighter page: its forms, receipt, progress and transfer load after its first paint.',
  parts:
    'The parts of `Checkout` one by one, for bundlers that keep every part of a namespace, such as esbuild.',
  schema: `Schemas and types of everything on the wire.

What is marked as schema and type is a type, and under the same name a schema of \`zod/mini\` that reads it. \`fields\` holds the schemas of the other types, under their names: \`fields.Price\`. Answers may hold more than is listed: unknown fields are kept.

\`members\` has the known members of each list of the interface, such as \`members.phases\`.

\`operations\` has a row for each operation of the interface, under its name: \`operations.getOrder\` is \`{ method, path, scope, isSecretAccepted }\`.`,
  api: 'The client, and one function for each call. It needs nothing but `fetch`.',
  engine:
    'The rules of an order, which the service and the test service share: quotes, events, refunds, and what clients see. It is for the service, and may change in any release.',
  chain: 'The checks that a payment passes before the wallet opens.',
  query:
    'The options behind the hooks, for prefetching, server rendering, and for other frameworks than React.',
  server:
    'For your server: the checkout and wallet handlers, a client with the server key, and webhooks. It needs nothing but what the web itself has.',
  wallet:
    'Hooks for what comes after the purchase: what a signed-in user owns, sending it on, passkeys, credentials.',
  solana: 'Lets checkouts take payments on Solana, from any wallet of Wallet Standard.',
  sandbox:
    'For development, against a sandbox: a wallet without an extension, and the rules that its payments are held to.',
  testing:
    'For tests of your own: a service in memory, a scripted wallet, and an order in every state it can have.',
  devtools: 'The panel for developers, and the data behind it.',
  locales:
    "The parts' sentences. Each language is a module of its own: `import { messages } from 'kassa/locales/de-DE'`.",
}
