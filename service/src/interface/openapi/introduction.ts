import { ignoredFieldsHeader } from 'kassa/schema'

/** What a reader of the interface has to know before the first call, in Markdown. */
export const introduction = `Headless checkout for onchain goods: collections and their tokens are put on chain; an order is quoted, paid on chain, and delivered; wallets hold what was bought, and send it on.

## Keys

- A **server key** (\`sk_…\`) opens what its scopes allow. It belongs on your server: from a page of another origin it is refused.
- A **client key** (\`ck_…\`) creates orders, from the origins it is bound to. It may be in a browser.
- A **client secret**, one for each order, reads and edits that order. It belongs to its buyer.

Send a key as \`X-API-KEY\`, and a client secret as \`Authorization\`. Each operation names the scope that a server key needs. \`kassa-service keys create\` makes a key and shows it once.

## Errors

An answer that is no success has a JSON body:

\`\`\`json
{ "error": true, "message": "lineItems[0].collectionLocator: Collection kassa:medal not found" }
\`\`\`

\`message\` names the field by its path where one is wrong. Some operations about wallets and tokens answer \`{ "error": "…" }\`, as their responses show. The header \`x-request-id\` finds the request in the service's log. In staging, \`${ignoredFieldsHeader}\` names the fields of a body that the service does not know.

- **400**: a field is missing or wrong. Correct it.
- **401, 403**: the key is not valid, or lacks the scope or the origin. Use another key.
- **404**: there is no such thing, or it belongs to another project.
- **409**: it conflicts with what is there, such as an order that is paid. Read it again.
- **413**: the body is larger than 1 MiB, or an uploaded file than 20 MiB.
- **422**: the chain would reject the transaction. Read the reason.
- **429**: too many requests. Wait for \`Retry-After\` seconds.
- **503, 504**: a chain or the database is unavailable. Send the request again later, with the same idempotency key.

## Idempotency

Every \`POST\` takes the header \`x-idempotency-key\`, but for the upload of a file, which can be repeated. Within 24 hours, the same key and body return the first answer, even if the two requests arrive at once. The same key with another body gets 409. Choose a new UUID for each thing that you create, and keep it when you repeat the request.

\`PUT\` creates under an id of yours and can be repeated without a key.

## Paging

Lists of orders and wallets' transactions take \`cursor\` and \`limit\`. Pass \`nextCursor\` of one answer as \`cursor\` of the next request; the last page has none. Lists of collections, tokens and templates take \`page\`, from 1, and \`perPage\`.

## Webhooks

The service sends events to the endpoints that you register with \`kassa-service webhooks create\`, signed as [Standard Webhooks](https://www.standardwebhooks.com). Verify the signature over the raw body, answer with 2xx within 15 seconds, and store the ids of the events that you have handled: each arrives at least once, and not always in order. Without an answer, an event is sent again for more than a day.

A change to a chain takes seconds. Its answer has an \`actionId\`: read the action, or wait for its event.`
