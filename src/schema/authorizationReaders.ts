// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { Authorization } from './authorization.js'
import { maybe, object, type Reader, reader, text } from './read.js'

const isAuthorization = /* @__PURE__ */ object({
  authorizationId: text,
  orderId: text,
  kind: text,
  payerAddress: text,
  status: text,
  txId: maybe(text),
  reason: maybe(text),
  createdAt: maybe(text),
})

/** Reads what the schema Authorization describes. */
export const readAuthorization: Reader<Authorization> = /* @__PURE__ */ reader(isAuthorization)
