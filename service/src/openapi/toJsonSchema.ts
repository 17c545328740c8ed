import {
  Action,
  ActionData,
  actionNames,
  actionStatuses,
  Collection,
  Delivery,
  deliveryStatuses,
  foreignPaymentStatuses,
  fungibilities,
  LineItemInput,
  LineItemQuote,
  lineItemQuoteStatuses,
  mintStatuses,
  Nft,
  Order,
  Payment,
  PaymentFailure,
  paymentFailureCodes,
  paymentStatuses,
  phases,
  Quote,
  quoteStatuses,
  Template,
  tokenStandards,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { ErrorAnswer } from './errorAnswer.js'

/** A JSON Schema, as far as anything here looks into one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** What is described once, under a name, and referred to. */
export type Components = Record<string, JsonSchema>

z.globalRegistry.add(Action, { id: 'Action' })
z.globalRegistry.add(ActionData, { id: 'ActionData' })
z.globalRegistry.add(Collection, { id: 'Collection' })
z.globalRegistry.add(Nft, { id: 'Nft' })
z.globalRegistry.add(Order, { id: 'Order' })
z.globalRegistry.add(Template, { id: 'Template' })
z.globalRegistry.add(LineItemInput, { id: 'LineItemInput' })
z.globalRegistry.add(ErrorAnswer, { id: 'Error' })

/** The members this version knows of each enumeration that may grow; to a reader they are any string. */
const openMembers: readonly (readonly [z.ZodMiniType, readonly string[]])[] = [
  [Order.shape.phase, phases],
  [Quote.shape.status, quoteStatuses],
  [LineItemQuote.shape.status, lineItemQuoteStatuses],
  [Payment.shape.status, [...paymentStatuses, ...foreignPaymentStatuses]],
  [PaymentFailure.shape.code, paymentFailureCodes],
  [Delivery.shape.status, deliveryStatuses],
  [Action.shape.action, actionNames],
  [Action.shape.status, actionStatuses],
  [Collection.shape.fungibility, fungibilities],
  [Collection.shape.onChain.shape.type, tokenStandards],
  [Nft.shape.onChain.shape.status, mintStatuses],
]
for (const [schema, members] of openMembers) z.globalRegistry.add(schema, { enum: members })

/** Any JSON at all, which refers to itself, has no name of its own. */
const nameOf = (name: string): string => (name.startsWith('__schema') ? 'Json' : name)

const relocate = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"#\/\$defs\/([^"]+)"/g,
      (_, name) => `"#/components/schemas/${nameOf(name)}"`,
    ),
  )

/** Two schemas of one name would stand for each other: one of them would be described wrongly. */
const addComponent = (components: Components, name: string, definition: JsonSchema): void => {
  const known = components[name]
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`two schemas are called ${name}`)
  }
  components[name] = definition
}

/**
 * Writes a schema as JSON Schema: `input` is what a caller may send, `output` what the service answers.
 *
 * A transform at the head of a pipe has no schema of its own. Ours all let a single item stand for a list of one,
 * so both forms are written down.
 *
 * @param components - Gets the schemas that have a name.
 * @throws when there is another schema of one of those names.
 */
export const toJsonSchema = (
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  components: Components,
): JsonSchema => {
  // Inside another schema a named one is always referred to, at the root it would be written out.
  const { properties, $defs } = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      if (io !== 'input' || def.type !== 'pipe' || def.in._zod.def.type !== 'transform') return
      const list = toJsonSchema(def.out as z.ZodMiniType, io, components)
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      jsonSchema.anyOf = [list.items as JsonSchema, list]
    },
  })
  for (const [name, { id: _, ...definition }] of Object.entries($defs ?? {})) {
    addComponent(components, nameOf(name), relocate(definition))
  }
  return relocate(properties?.schema as JsonSchema)
}
