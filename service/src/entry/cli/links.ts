import { parseArgs } from 'node:util'
import { CreatePaymentLinkBody, type PaymentLink } from 'kassa/schema'
import { parseInput } from '#base/lib/parseInput.js'
import { createPaymentLink } from '#sale/links/createPaymentLink.js'
import { listPaymentLinks } from '#sale/links/readLinks.js'
import { updatePaymentLink } from '#sale/links/updatePaymentLink.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { nameOptions } from './nameOptions.js'
import { readAllPages, readCount, requireOne, requireOption } from './readArguments.js'
import { withProject } from './withProject.js'

const json = { type: 'boolean', default: false } as const
const text = { type: 'string' } as const

/** The options that stand for fields of the interface. */
const options = {
  'lineItems[0].collectionLocator': 'collection',
  lineItems: 'collection',
  orderId: 'order',
  title: 'title',
  maxQuantity: 'max-quantity',
  maxUses: 'max-uses',
  expiresAt: 'expires',
  successUrl: 'success-url',
  'payment.method': 'method',
  'payment.currency': 'currency',
}

const describeUses = ({ uses, maxUses }: PaymentLink): string =>
  maxUses === undefined ? `${uses.paid}` : `${uses.paid} of ${maxUses}`

const create: Command = async (args, context) => {
  const { values } = parseArgs({
    args,
    options: {
      project: text,
      collection: text,
      order: text,
      title: text,
      quantity: text,
      'max-quantity': text,
      'max-uses': text,
      expires: text,
      'success-url': text,
      method: text,
      currency: text,
      json,
    },
  })
  const project = requireOption('project', values.project)
  const count = (name: 'quantity' | 'max-quantity' | 'max-uses', most: number) => {
    const given = values[name]
    return given === undefined ? undefined : readCount(name, given, 1, most)
  }
  const quantity = count('quantity', 100)
  const { collection, order } = values
  const link = await nameOptions(options, () =>
    withProject(context, project, async (deps, call) => {
      const item = {
        collectionLocator: `${deps.config.namespace}:${collection}`,
        ...(quantity !== undefined && { quantity }),
      }
      const payment = { method: values.method, currency: values.currency }
      const hasPayment = values.method !== undefined || values.currency !== undefined
      const body = parseInput(
        CreatePaymentLinkBody,
        {
          ...(collection !== undefined && { lineItems: item }),
          ...(order !== undefined && { orderId: order }),
          ...(hasPayment && { payment }),
          title: values.title,
          maxQuantity: count('max-quantity', 100),
          maxUses: count('max-uses', 999_999_999),
          expiresAt: values.expires,
          successUrl: values['success-url'],
        },
        'collection',
      )
      return createPaymentLink(deps, call, body)
    }),
  )
  context.out(values.json ? formatJson(link) : `${link.url}\n`)
  return 0
}

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { project: text, json } })
  const project = requireOption('project', values.project)
  const links = await withProject(context, project, (deps, call) =>
    readAllPages(async (page) => (await listPaymentLinks(deps, call, page)).data),
  )
  const rows = links.map((link) => [
    link.paymentLinkId,
    link.status,
    describeUses(link),
    link.expiresAt ?? '',
    link.title ?? link.lineItems.map(({ collectionLocator }) => collectionLocator).join(','),
  ])
  context.out(
    values.json ? formatJson(links) : formatTable([['id', 'status', 'paid', 'expires', 'sells'], ...rows]),
  )
  return 0
}

const change =
  (status: 'active' | 'deactivated', said: string): Command =>
  async (args, context) => {
    const { values, positionals } = parseArgs({ args, options: { project: text }, allowPositionals: true })
    const project = requireOption('project', values.project)
    const paymentLinkId = requireOne(positionals, 'the id of one payment link')
    await withProject(context, project, (deps, call) =>
      updatePaymentLink(deps, call, { paymentLinkId, status }),
    )
    context.err(`${said}\n`)
    return 0
  }

/** `kassa-service links …`. */
export const links: Group = {
  help: `
  kassa-service links create --project <name> (--collection <id> | --order <id>) [--title <title>]
      [--quantity <n>] [--max-quantity <n>] [--max-uses <n>] [--expires <ISO 8601>] [--success-url <url>]
      [--method <chain> --currency <currency>] [--json]
      Create a payment link and print its address. Anyone who has it orders and pays on a page of the service. It
      sells a collection, or the line items of an order again. --collection <id>:<template> sells a template.
      --success-url is a page of an origin that a client key of the project allows.

  kassa-service links list --project <name> [--json]
      List the payment links of a project, newest first, with how often each was paid.

  kassa-service links deactivate --project <name> <id>
      Take no more orders. Buyers who have begun one can pay it as long as its quote is valid.

  kassa-service links activate --project <name> <id>
      Take orders again.
`,
  commands: {
    create,
    list,
    deactivate: change('deactivated', 'Payment link deactivated.'),
    activate: change('active', 'Payment link activated.'),
  },
}
