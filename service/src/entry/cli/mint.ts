import { parseArgs } from 'node:util'
import { parseInput } from 'kassa/engine'
import { fields, MintNftBody, parseMintRecipient } from 'kassa/schema'
import { checkInput } from '#base/errors.js'
import { getCollection } from '#goods/collections/findCollection.js'
import { getNft } from '#goods/nfts/findNft.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { findAction } from './collections.js'
import { formatJson, formatTable } from './formatTable.js'
import type { CliContext, Command, Group } from './group.js'
import { nameOptions } from './nameOptions.js'
import { inlinePicture, storePicture } from './picture.js'
import { requireOne, requireOption } from './readArguments.js'
import { UsageError } from './UsageError.js'
import { withProject } from './withProject.js'

const text = { type: 'string' } as const
const options = {
  project: text,
  to: text,
  id: text,
  name: text,
  image: text,
  description: text,
  'animation-url': text,
  attribute: { type: 'string', multiple: true, default: [] as string[] },
  template: text,
  locale: text,
  'no-notification': { type: 'boolean', default: false },
  uncompressed: { type: 'boolean', default: false },
  status: text,
  json: { type: 'boolean', default: false },
} as const

/** The options of the fields whose names they do not have. */
const optionOf = {
  recipient: 'to',
  'metadata.name': 'name',
  'metadata.image': 'image',
  file: 'image',
  'metadata.description': 'description',
  'metadata.animation_url': 'animation-url',
  templateId: 'template',
  compressed: 'uncompressed',
}

const readAttribute = (pair: string) => {
  const [, trait_type, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
  if (trait_type === undefined)
    throw new UsageError('--attribute: expected a trait and its value: Colour=red')
  return { trait_type, value }
}

type Values = ReturnType<typeof readOptions>['values']

const readOptions = (args: string[]) => parseArgs({ args, allowPositionals: true, options })

type Described = Omit<Values, 'image'> & { image?: string | undefined }

const readMetadata = ({ name, image, description, attribute, 'animation-url': animation_url }: Described) => {
  const attributes = attribute.length ? attribute.map(readAttribute) : undefined
  const given = Object.entries({ name, image, description, animation_url, attributes }).filter(
    ([, value]) => value !== undefined,
  )
  return given.length ? Object.fromEntries(given) : undefined
}

/** Reads an address or an e-mail address by itself as one on the collection's chain. */
const toRecipient = (word: string, chain: string): string => {
  if (parseMintRecipient(word)) return word
  const locator = word.includes('@') ? `email:${word}:${chain}` : `${chain}:${word}`
  return parseMintRecipient(locator) ? locator : word
}

const showStatus = async (
  context: CliContext,
  { project, collectionId, nftId }: { project: string; collectionId: string; nftId: string },
  isJson: boolean,
): Promise<number> => {
  const { nft, action } = await withProject(context, project, async (deps, call) => {
    const found = await getNft(deps, call, { collectionId, nftId })
    return { nft: found, action: await findAction(deps, call, found.actionId) }
  })
  if (isJson) {
    context.out(formatJson(nft))
    return 0
  }
  const { onChain } = nft
  const rows: [string, string | undefined][] = [
    ['id', nft.id],
    ['status', onChain.status],
    ['error', action?.data.error?.message],
    ['name', nft.metadata?.name],
    ['chain', onChain.chain],
    ['contract', onChain.contractAddress],
    ['token', onChain.tokenId ?? onChain.mintHash],
    ['owner', onChain.owner],
    ['transaction', onChain.txId],
    ['action', nft.actionId],
    ['expires', nft.subscription?.expiresAt],
  ]
  context.out(formatTable(rows.flatMap(([field, value]) => (value ? [[field, value]] : []))))
  return 0
}

const run: Command = async (args, context) => {
  const { positionals, values } = readOptions(args)
  const project = requireOption('project', values.project)
  const collectionId = requireOne(positionals, 'the id of one collection')
  if (values.status !== undefined) {
    return showStatus(context, { project, collectionId, nftId: values.status }, values.json)
  }
  const to = requireOption('to', values.to)
  const { template: templateId, locale, id: nftId } = values
  if ((readMetadata(values) === undefined) === (templateId === undefined)) {
    throw new UsageError('expected either --template, or --name and --image')
  }
  const nft = await nameOptions(optionOf, () =>
    withProject(context, project, async (deps, call) => {
      const { onChain } = await getCollection(deps, call, { collectionId })
      const image = await storePicture(deps, call, values.image)
      const asked = {
        recipient: toRecipient(to, onChain.chain),
        metadata: readMetadata({ ...values, image }),
        templateId,
        locale,
        ...(values['no-notification'] && { sendNotification: false }),
        ...(values.uncompressed && { compressed: false }),
      }
      const body = checkInput(() => parseInput(MintNftBody, asked, 'body'))
      if (nftId !== undefined) checkInput(() => parseInput(fields.ChosenId, nftId, 'id'))
      return mintNft(deps, call, { collectionId, ...(nftId !== undefined && { nftId }), body })
    }),
  )
  context.out(values.json ? formatJson(nft) : `${nft.id}\n`)
  const does = nft.onChain.status === 'pending' ? 'The service mints it.' : 'It was minted before.'
  context.err(
    `${does} To see its status: kassa-service mint ${collectionId} --project ${project} --status ${nft.id}\n`,
  )
  return 0
}

/** `kassa-service mint`. */
export const mint: Group = {
  help: `
  kassa-service mint <collection id> --project <name> --to <recipient> --name <text> --image <file or URL>
      [--description <text>] [--animation-url <url>] [--attribute <trait>=<value>…] [--id <id>] [--locale <tag>]
      [--no-notification] [--uncompressed] [--json]
  kassa-service mint <collection id> --project <name> --to <recipient> --template <template id> [--id <id>] …
      Mint a token to an e-mail address, an address on the collection's chain, or a recipient such as
      userId:ada:base-sepolia, and print the token's id. An e-mail, in the language of --locale,
      tells the owner of an e-mail address. With an id of yours, the same command again mints no other token.

  kassa-service mint <collection id> --project <name> --status <token id> [--json]
      Show how far the mint of a token is, and where the token is.
`,
  commands: { '': run },
  prepare: inlinePicture,
}
