/**
 * An OpenAPI document, as far as the page needs it.
 * @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], const?: unknown, items?: Schema, anyOf?: Schema[], oneOf?: Schema[], properties?: Record<string, Schema>, required?: string[], description?: string }} Schema
 * @typedef {{ in: string, name: string, required: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {{ content?: Record<string, { schema: Schema, example?: unknown }> }} Content
 * @typedef {{ operationId: string, summary: string, description: string, tags: string[], parameters: Parameter[], requestBody?: Content, responses: Record<string, Content & { description: string }> }} Operation
 * @typedef {{ info: { description: string }, tags: { name: string, 'x-displayName': string }[], paths: Record<string, Record<string, Operation>> }} Document
 */

const json = 'application/json'

/** @param {string} text */
const inCell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The name of a type, in a cell of a table. @param {Schema | undefined} schema @returns {string} */
const nameType = (schema = {}) => {
  const { $ref, type, items, anyOf, oneOf, const: constant, enum: members } = schema
  if ($ref) return $ref.split('/').at(-1) ?? ''
  if (constant !== undefined) return `"${constant}"`
  if (members) return members.map((member) => `"${member}"`).join(' or ')
  const choices = anyOf ?? oneOf
  if (choices) return [...new Set(choices.map(nameType))].join(' or ')
  if (items) return `${nameType(items)}[]`
  return [type ?? 'any'].flat().join(' or ')
}

/**
 * A row for each field, those of objects inside under their paths.
 * @param {Schema} schema
 * @param {string} [above]
 * @returns {string[]}
 */
const listFields = ({ properties = {}, required = [] }, above = '') =>
  Object.entries(properties).flatMap(([name, field]) => {
    const path = `${above}${name}`
    const isRequired = required.includes(name) ? 'yes' : ''
    const row = `| \`${path}\` | \`${inCell(nameType(field))}\` | ${isRequired} | ${inCell(field.description ?? '')} |`
    return [row, ...listFields(field, `${path}.`)]
  })

/** @param {string[]} rows */
const table = (rows) =>
  rows.length === 0
    ? ''
    : `| field | type | required | is |\n| ----- | ---- | -------- | -- |\n${rows.join('\n')}\n`

/** @param {string} title @param {unknown} value */
const example = (title, value) =>
  value === undefined ? '' : `${title}\n\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\n`

/** @param {string} method @param {string} path @param {Operation} operation */
const describeOperation = (method, path, operation) => {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const body = requestBody?.content?.[json]
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const rows = parameters.map(
    ({ name, in: place, required, description: is = '', schema }) =>
      `| \`${name}\` (${place}) | \`${inCell(nameType(schema))}\` | ${required ? 'yes' : ''} | ${inCell(is)} |`,
  )
  return [
    `### ${summary}\n`,
    `\`${method.toUpperCase()} ${path}\`, \`${operationId}\` in [kassa/api](api.md)\n`,
    `${description}\n`,
    table([...rows, ...(body ? listFields(body.schema, 'body.') : [])]),
    example('The body:', body?.example),
    example(`The answer, ${success?.[0]}:`, success?.[1].content?.[json]?.example),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/**
 * Writes the page of all operations of the interface.
 * @param {Document} document
 */
export const writeHttp = ({ info, tags, paths }) => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const sections = tags.flatMap(({ name, 'x-displayName': title }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    if (own.length === 0) return []
    const texts = own.map(({ method, path, operation }) => describeOperation(method, path, operation))
    return `## ${title}\n\n${texts.join('\n')}`
  })
  return `# HTTP API\n\n${info.description}\n\n${sections.join('\n')}`
}
