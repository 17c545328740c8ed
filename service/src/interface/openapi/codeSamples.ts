/** One operation, as far as its samples need it. */
export type SampledOperation = {
  operationId: string
  method: string
  /** With its parameters: `/2022-06-09/orders/{orderId}`. */
  path: string
  /** Whether it takes a file. */
  isUpload: boolean
  baseUrl: string
  /** Examples of the parameters in the path, and of the required ones of the query. */
  pathParams: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body?: unknown
}

type CodeSample = { lang: string; label: string; source: string }

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

const inQuotes = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`

/** Writes a value as a literal of TypeScript. */
const writeLiteral = (value: unknown): string => {
  if (typeof value === 'string') return inQuotes(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(writeLiteral)
    : Object.entries(value).map(
        ([name, part]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : inQuotes(name)}: ${writeLiteral(part)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n  ${parts.map((part) => `${indent(part, '  ')},`).join('\n  ')}\n${close}`
}

const writeCurl = ({
  method,
  path,
  isUpload,
  baseUrl,
  pathParams,
  query,
  body,
}: SampledOperation): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(pathParams[name])))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const url = `${baseUrl}${filled}${search.size > 0 ? `?${search}` : ''}`
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    '-H "X-API-KEY: $KASSA_SERVER_KEY"',
    ...(isUpload ? ['-F file=@gold.png'] : []),
    ...(method === 'post' && !isUpload ? ['-H "x-idempotency-key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'content-type: application/json'",
          `-d '${JSON.stringify(body, undefined, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ')
}

/** What the function of an operation takes for its body. One takes a field of it, and adds the rest itself. */
const writeBodyParameters = (operationId: string, body: unknown): object => {
  if (body === undefined) return {}
  if (operationId !== 'reportPayment') return { body }
  return { txId: (body as { txId?: unknown }).txId }
}

const writeTypeScript = (operation: SampledOperation): string => {
  const { operationId, isUpload, baseUrl, pathParams, query, body } = operation
  const parameters = { ...pathParams, ...query, ...writeBodyParameters(operationId, body) }
  const isBare = Object.keys(parameters).length === 0
  const given = isUpload ? '{ file }' : isBare ? undefined : writeLiteral(parameters)
  const call = given === undefined ? 'client' : `client, ${given}`
  return [
    ...(isUpload ? ["import { openAsBlob } from 'node:fs'"] : []),
    `import { ${operationId} } from 'kassa/api'`,
    "import { createServerClient } from 'kassa/server'",
    '',
    'const client = createServerClient({',
    `  baseUrl: '${baseUrl}',`,
    '  apiKey: process.env.KASSA_SERVER_KEY,',
    '})',
    '',
    ...(isUpload ? ["const file = await openAsBlob('gold.png')"] : []),
    ...(operationId === 'streamOrder'
      ? [
          `await ${operationId}(client, ${writeLiteral(pathParams).replace(/}$/, '  onOrder: console.log,\n}')})`,
        ]
      : [`const answer = await ${operationId}(${call})`, 'console.log(answer)']),
  ].join('\n')
}

/** Writes how an operation is called from a shell and from TypeScript, with values that are filled in. */
export const writeCodeSamples = (operation: SampledOperation): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: writeCurl(operation) },
  { lang: 'TypeScript', label: 'TypeScript', source: writeTypeScript(operation) },
]
