import { fields, Order } from 'kassa/schema'
import { ErrorAnswer } from './errorAnswer.js'
import { writeExample } from './examples.js'
import { headersOf } from './responseHeaders.js'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'
import { jsonContent, statusText } from './writeResponses.js'

type Json = Record<string, unknown>

const inBase64 = (description: string): JsonSchema => ({
  type: 'string',
  description: `${description}: JSON in base64`,
  contentEncoding: 'base64',
  contentMediaType: 'application/json',
})

const header = ({ description, ...schema }: JsonSchema) => ({ description, schema })

const requirements: JsonSchema = {
  type: 'object',
  description: 'One way to pay',
  properties: {
    scheme: { type: 'string', enum: ['exact'] },
    network: { type: 'string', description: 'The chain, as a CAIP-2 id' },
    amount: { type: 'string', description: 'In base units of `asset`' },
    asset: { type: 'string', description: 'The token' },
    payTo: { type: 'string', description: 'The order’s own deposit address' },
    maxTimeoutSeconds: { type: 'integer', description: 'For how long a payment may be valid' },
    extra: { type: 'object', description: 'The domain of what is signed, and the id of the order' },
  },
  required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
}

const paymentRequired: JsonSchema = {
  type: 'object',
  properties: {
    x402Version: { type: 'integer', enum: [2] },
    error: { type: 'string', description: 'Why a payment is asked for, or was refused' },
    resource: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
    accepts: { type: 'array', items: requirements },
    extensions: { type: 'object' },
  },
  required: ['x402Version', 'error', 'resource', 'accepts', 'extensions'],
}

const orderId = 'b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11'

const paymentRequiredExample = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: {
    url: `https://pay.example/api/2022-06-09/orders/${orderId}/x402`,
    description: `Order ${orderId}`,
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '1000000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      maxTimeoutSeconds: 120,
      extra: { name: 'USDC', version: '2', assetTransferMethod: 'eip3009', orderId },
    },
  ],
  extensions: { 'payment-identifier': { info: { required: false }, schema: { type: 'object' } } },
}

const signature = {
  in: 'header',
  name: 'PAYMENT-SIGNATURE',
  description: 'What the client signed. Without it, the answer says what is to be paid',
  required: false,
  schema: inBase64('The payment'),
}

const query = (name: string, description: string, schema: JsonSchema, required = false) => ({
  in: 'query',
  name,
  description,
  required,
  schema: { type: 'string', ...schema },
})

const path = (name: string, schema: JsonSchema, example: string) => ({
  in: 'path',
  name,
  required: true,
  schema,
  example,
})

const refusals = [400, 401, 403, 404, 409, 422, 429, 500, 503, 504]
/** Whatever a request takes, a body that is too long is refused before it is read. */
const refusalsOfPost = [...refusals, 413].sort()

const writeRefusals = (statuses: readonly number[], components: Components): Json => {
  const schema = toJsonSchema(ErrorAnswer, 'output', components)
  return Object.fromEntries(
    statuses.map((status) => {
      const message = statusText[status] ?? ''
      const content = jsonContent(schema, { error: true, message })
      return [String(status), { description: message, headers: headersOf(status), ...content }]
    }),
  )
}

const writeResponses = (statuses: readonly number[], components: Components): Json => {
  const schema = toJsonSchema(Order, 'output', components)
  return {
    '200': {
      description: 'The order, paid',
      headers: {
        ...headersOf(200),
        'PAYMENT-RESPONSE': header(
          inBase64('The transaction that paid, if this request brought the payment'),
        ),
      },
      ...jsonContent(schema, writeExample(schema, components)),
    },
    '402': {
      description: 'What is to be paid, or why the payment was refused',
      headers: {
        ...headersOf(402),
        'PAYMENT-REQUIRED': header(inBase64('The same as the body')),
        'PAYMENT-RESPONSE': header(inBase64('Why a payment was refused, in the words of x402')),
      },
      ...jsonContent(paymentRequired, paymentRequiredExample),
    },
    ...writeRefusals(statuses, components),
  }
}

const about =
  'Follows version 2 of x402, scheme `exact`: the client signs a transfer of the token, and the shop sends it and pays the network fee. The same payment again is answered from its record, and never paid twice; with the extension `payment-identifier`, the whole answer is. No key is needed. It is an extension of the interface.'

const token = query('token', 'From `payment.x402Url`, which has it', { maxLength: 100 }, true)

/** Shows how software pays at a URL. */
const writeSamples = (method: 'GET' | 'POST', url: string): Json[] => [
  {
    lang: 'shell',
    label: 'curl',
    source: `curl -i${method === 'POST' ? ' -X POST' : ''} '${url}'`,
  },
  {
    lang: 'typescript',
    label: 'TypeScript',
    source: `// A client of x402 in place of \`fetch\` pays for it, as docs/x402.md shows.
const response = await fetch('${url}', { method: '${method}' })
console.log(response.status, response.headers.get('payment-required'))
`,
  },
]

const writeOrderOperation = (
  { operationId, method, baseUrl }: { operationId: string; method: 'GET' | 'POST'; baseUrl: string },
  components: Components,
): Json => ({
  operationId,
  summary: 'Pay an order by x402',
  description: `At \`payment.x402Url\` of an order, whose token opens this one thing. ${about} Once the order is paid, it is answered as its buyer sees it.`,
  tags: ['orders'],
  security: [],
  parameters: [path('orderId', { type: 'string', format: 'uuid' }, orderId), token, signature],
  responses: writeResponses(method === 'GET' ? refusals : refusalsOfPost, components),
  'x-codeSamples': writeSamples(method, `${baseUrl}/2022-06-09/orders/${orderId}/x402?token=xp_…`),
})

const writeCollectionOperation = (baseUrl: string, components: Components): Json => ({
  operationId: 'buyByX402',
  summary: 'Buy a token of a collection by x402',
  description: `Sells one token in a single exchange: the payment makes an order for its payer, whose wallet receives the token. The rules of the sale hold, and a payment that they refuse moves no money. ${about} The answer’s \`payment.x402Url\` shows the order later.`,
  tags: ['collections'],
  security: [],
  parameters: [
    path('collectionId', toJsonSchema(fields.ChosenId, 'input', components), 'medals'),
    query('templateId', 'The template whose copy is bought', { maxLength: 64 }),
    query('projectId', 'The project, if several have a collection of this id', { format: 'uuid' }),
    signature,
  ],
  responses: writeResponses(refusals, components),
  'x-codeSamples': writeSamples('GET', `${baseUrl}/x402/collections/medals`),
})

/** Describes what software pays for by x402. */
export const writeX402Paths = (components: Components, baseUrl: string): Record<string, Json> => ({
  '/2022-06-09/orders/{orderId}/x402': {
    get: writeOrderOperation({ operationId: 'getOrderByX402', method: 'GET', baseUrl }, components),
    post: writeOrderOperation({ operationId: 'payOrderByX402', method: 'POST', baseUrl }, components),
  },
  '/x402/collections/{collectionId}': { get: writeCollectionOperation(baseUrl, components) },
})
