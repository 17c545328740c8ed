import { parseArgs } from 'node:util'
import { parseInput } from 'kassa/engine'
import { type Collection, CreateCollectionBody, fields, noLimit, UpdateCollectionBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { CollectionDeps } from '#base/deps.js'
import { checkInput } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { getAction } from '#goods/actions/actions.js'
import { createCollection } from '#goods/collections/createCollection.js'
import { getCollection, listCollections } from '#goods/collections/findCollection.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { listNfts } from '#goods/nfts/findNft.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { nameOptions } from './nameOptions.js'
import { inlinePicture, storePicture } from './picture.js'
import { readAllPages, readList, requireOne, requireOption } from './readArguments.js'
import { UsageError } from './UsageError.js'
import { withProject } from './withProject.js'

const text = { type: 'string' } as const
const json = { type: 'boolean', default: false } as const
const reading = { project: text, json } as const
/** The options of fields that can change. */
const changeable = {
  name: text,
  description: text,
  symbol: text,
  image: text,
  transferable: text,
  'supply-limit': text,
  price: text,
  currency: text,
  currencies: text,
  recipient: text,
  'royalty-basis-points': text,
  requires: text,
  sale: text,
  'starts-at': text,
  'ends-at': text,
  'max-per-wallet': text,
  'max-per-email': text,
  'max-per-payer': text,
} as const
const fixed = { chain: text, fungibility: text, subscription: { type: 'boolean' } } as const

/** The options of the fields whose names they do not have. */
const optionOf = {
  'metadata.name': 'name',
  'metadata.description': 'description',
  'metadata.symbol': 'symbol',
  'metadata.imageUrl': 'image',
  file: 'image',
  'subscription.enabled': 'subscription',
  supplyLimit: 'supply-limit',
  'payments.price': 'price',
  'payments.currency': 'currency',
  'payments.currencies': 'currencies',
  'payments.recipientAddress': 'recipient',
  'payments.royaltyBasisPoints': 'royalty-basis-points',
  'payments.requires': 'requires',
  'sale.startsAt': 'starts-at',
  'sale.endsAt': 'ends-at',
  'sale.maxPerBuyer.wallet': 'max-per-wallet',
  'sale.maxPerBuyer.email': 'max-per-email',
  'sale.maxPerBuyer.payer': 'max-per-payer',
}

type Given = { [Name in keyof typeof changeable]?: string | undefined }

/** Reads an option whose empty value removes what the collection has. */
const clearable = <Value>(given: string | undefined, read: (word: string) => Value) =>
  given === undefined ? undefined : given === '' ? null : read(given)

const asIs = (word: string): string => word

/** Reads a limit. The schema refuses an empty value, so that an unset variable of a shell removes no limit. */
const limitOf = (given: string | undefined): number | string | undefined =>
  given === undefined || given === noLimit || given === '' ? given : Number(given)

/** The schema refuses a word that is neither. */
const readBoolean = (word: string): boolean | string =>
  word === 'true' ? true : word === 'false' ? false : word

const readJson = (word: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(word)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // It is refused below, as JSON of another kind is.
  }
  throw new UsageError('--sale: expected a JSON object, such as {"maxPerBuyer":{"wallet":2}}')
}

/** Leaves out what is not given, and an object of which nothing is. */
const pickGiven = (object: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined => {
  const given = Object.entries(object).filter(([, value]) => value !== undefined)
  return given.length ? Object.fromEntries(given) : undefined
}

const readPayments = (given: Given) => {
  if (given.price === '') return null
  const royalty = given['royalty-basis-points']
  return pickGiven({
    price: given.price,
    currency: given.currency,
    currencies: clearable(given.currencies, readList),
    recipientAddress: clearable(given.recipient, asIs),
    // Without a value it is 0, which is no royalty.
    royaltyBasisPoints: royalty === undefined ? undefined : Number(royalty),
    requires: given.requires === undefined ? undefined : readList(given.requires),
  })
}

const readLimits = (given: Given) =>
  pickGiven({
    wallet: limitOf(given['max-per-wallet']),
    email: limitOf(given['max-per-email']),
    payer: limitOf(given['max-per-payer']),
  })

const readSale = (given: Given) => {
  if (given.sale === '') return null
  const rules = given.sale === undefined ? {} : readJson(given.sale)
  return pickGiven({
    ...rules,
    ...pickGiven({
      startsAt: clearable(given['starts-at'], asIs),
      endsAt: clearable(given['ends-at'], asIs),
      maxPerBuyer: readLimits(given),
    }),
  })
}

const readChange = (given: Given) =>
  pickGiven({
    metadata: pickGiven({
      name: given.name,
      description: clearable(given.description, asIs),
      symbol: given.symbol,
      imageUrl: clearable(given.image, asIs),
    }),
    transferable: given.transferable === undefined ? undefined : readBoolean(given.transferable),
    supplyLimit: limitOf(given['supply-limit']),
    payments: readPayments(given),
    sale: readSale(given),
  }) ?? {}

const create: Command = async (args, context) => {
  const options = { ...reading, ...changeable, ...fixed } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const project = requireOption('project', values.project)
  const chosen = positionals.length ? requireOne(positionals, 'the id of one collection') : undefined
  const { chain, fungibility, subscription } = values
  const fixedFields = pickGiven({ chain, fungibility, subscription: subscription && { enabled: true } })
  const { collection, action } = await nameOptions(optionOf, async () => {
    if (chosen !== undefined)
      checkInput(() => parseInput(fields.ChosenId, chosen, 'the id of the collection'))
    return withProject(context, project, async (deps, call) => {
      const image = await storePicture(deps, call, values.image)
      const asked = { metadata: {}, ...readChange({ ...values, image }), ...fixedFields }
      const body = checkInput(() => parseInput(CreateCollectionBody, asked, 'body'))
      const collectionId = chosen ?? createUuid(deps.randomBytes)
      const created = await createCollection(deps, call, { collectionId, body })
      return { collection: created, action: await findAction(deps, call, created.actionId) }
    })
  })
  context.out(values.json ? formatJson(collection) : `${collection.id}\n`)
  if (action?.status === 'pending') {
    context.err(`The service deploys its contract on ${collection.onChain.chain}.\n`)
  }
  return 0
}

const update: Command = async (args, context) => {
  const options = { ...reading, ...changeable } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const project = requireOption('project', values.project)
  const collectionId = requireOne(positionals, 'the id of one collection')
  if (!Object.keys(readChange(values)).length) {
    throw new UsageError('expected an option that changes the collection')
  }
  const updated = await nameOptions(optionOf, () =>
    withProject(context, project, async (deps, call) => {
      const image = await storePicture(deps, call, values.image)
      const asked = readChange({ ...values, image })
      const body = checkInput(() => parseInput(UpdateCollectionBody, asked, 'body'))
      const collection = await updateCollection(deps, call, { collectionId, body })
      return { collection, action: await findAction(deps, call, collection.actionId) }
    }),
  )
  if (values.json) context.out(formatJson(updated.collection))
  context.err(
    updated.action?.status === 'pending'
      ? 'The collection is changed. The service brings the change to its contract.\n'
      : 'The collection is changed.\n',
  )
  return 0
}

/** Finds the action of a collection or a token, if it has one. */
export const findAction = async (deps: CollectionDeps, call: Call, actionId: string | undefined) =>
  actionId === undefined ? undefined : getAction(deps, call, { actionId })

const priceOf = ({ payments }: Collection): string =>
  payments ? `${payments.price} ${payments.currency ?? ''}`.trim() : ''

const list: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: reading })
  const project = requireOption('project', values.project)
  const collections = await withProject(context, project, (deps, call) =>
    readAllPages(async (page) => (await listCollections(deps, call, page)).results),
  )
  const rows = collections.map((collection) => [
    collection.id,
    collection.onChain.chain,
    collection.metadata.name ?? '',
    priceOf(collection),
    `${collection.supply?.minted ?? ''}`,
    `${collection.supplyLimit ?? ''}`,
  ])
  const table = [['id', 'chain', 'name', 'price', 'minted', 'supply limit'], ...rows]
  context.out(values.json ? formatJson(collections) : formatTable(table))
  return 0
}

const get: Command = async (args, context) => {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: reading })
  const project = requireOption('project', values.project)
  const collectionId = requireOne(positionals, 'the id of one collection')
  const { collection, action } = await withProject(context, project, async (deps, call) => {
    const found = await getCollection(deps, call, { collectionId })
    return { collection: found, action: await findAction(deps, call, found.actionId) }
  })
  if (values.json) {
    context.out(formatJson(collection))
    return 0
  }
  const { metadata, onChain, supply, supplyLimit, payments, sale, transferable } = collection
  const rows: [string, string | undefined][] = [
    ['id', collection.id],
    ['name', metadata.name],
    ['description', metadata.description],
    ['symbol', metadata.symbol],
    ['image', metadata.imageUrl],
    ['chain', onChain.chain],
    ['address', onChain.contractAddress ?? onChain.mintAddress],
    ['creation', action?.status],
    ['error', action?.data.error?.message],
    ['fungibility', collection.fungibility],
    ['transferable', transferable?.toString()],
    ['subscription', collection.subscription?.enabled ? 'true' : undefined],
    ['supply limit', supplyLimit?.toString()],
    ['minted', supply?.minted.toString()],
    ['reserved', supply?.reserved.toString()],
    ['price', priceOf(collection)],
    ['currencies', payments?.currencies?.join(',')],
    ['recipient', payments?.recipientAddress],
    ['royalty', payments?.royaltyBasisPoints ? `${payments.royaltyBasisPoints} basis points` : undefined],
    ['requires', payments?.requires?.join(',')],
    ['sale', sale && JSON.stringify(sale)],
  ]
  context.out(formatTable(rows.flatMap(([field, value]) => (value ? [[field, value]] : []))))
  return 0
}

const nfts: Command = async (args, context) => {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: reading })
  const project = requireOption('project', values.project)
  const collectionId = requireOne(positionals, 'the id of one collection')
  const found = await withProject(context, project, (deps, call) =>
    readAllPages((page) => listNfts(deps, call, { collectionId, ...page })),
  )
  const rows = found.map(({ id, metadata, onChain }) => [
    id,
    onChain.status,
    metadata?.name ?? '',
    onChain.tokenId ?? onChain.mintHash ?? '',
    onChain.owner ?? '',
  ])
  const table = [['id', 'status', 'name', 'token', 'owner'], ...rows]
  context.out(values.json ? formatJson(found) : formatTable(table))
  return 0
}

/** `kassa-service collections …`. */
export const collections: Group = {
  help: `
  kassa-service collections create [<id>] --project <name> --chain <chain> --name <text> [--symbol <text>]
      [--description <text>] [--image <file or URL>] [--fungibility non-fungible|semi-fungible] [--transferable true|false]
      [--subscription] [--supply-limit <count>] [--price <amount>] [--currency <name>] [--currencies <name,…>]
      [--recipient <address>] [--royalty-basis-points <count>] [--requires physical-address,receipt-email]
      [--starts-at <time>] [--ends-at <time>] [--max-per-wallet <count>] [--max-per-email <count>]
      [--max-per-payer <count>] [--sale <JSON>] [--json]
      Create a collection and print its id. The service deploys its contract, and stores the picture: a PNG, JPEG, GIF,
      WebP, AVIF or SVG file of at most 20 MiB, or a public URL. With an id of yours, the same command
      again creates no other one. A price puts it on sale: buyers pay it in the currency, or in any of the currencies.
      The sale's JSON can have all of its rules, such as phases and promotion codes, as in POST /2022-06-09/collections.

  kassa-service collections update <id> --project <name> [--name <text>] [--price <amount>] … [--json]
      Change a collection. It takes the options of create, but for --chain, --fungibility and --subscription. An empty
      value ('') removes a description, a picture or a rule, and 'unlimited' removes a limit. --price '' takes the
      collection off sale. Limits that you do not name stay.

  kassa-service collections list --project <name> [--json]
  kassa-service collections get <id> --project <name> [--json]
      List the collections of a project, newest first, or show one.

  kassa-service collections nfts <id> --project <name> [--json]
      List the tokens of a collection, newest first, each with its status.
`,
  commands: { create, update, list, get, nfts },
  prepare: inlinePicture,
}
