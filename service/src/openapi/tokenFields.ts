import {
  CreateCollectionBody,
  CreateTemplateBody,
  MintNftBody,
  UpdateCollectionBody,
  UpdateNftBody,
  UpdateTemplateBody,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { PageQuery } from '../routes/pageQuery.js'
import { describeFields, type FieldNote } from './describeFields.js'

const text = (description: string, ...examples: string[]): FieldNote => ({
  description,
  minLength: 1,
  ...(examples.length && { examples }),
})

const copied =
  'Copied from its public address, 20 MiB and 10 s at most, and kept under its IPFS address unless `reuploadLinkedFiles` is false. `ipfs://` and `ar://` stay as they are'

const reupload: FieldNote = {
  description: 'Whether linked files are copied and kept under their IPFS address',
  default: true,
}

const fixed = 'Cannot be changed'

const picture = (what: string): FieldNote => ({
  description: `${what}. ${copied}`,
  examples: [
    'https://shop.example/picture.png',
    'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  ],
})

const payments: Readonly<Record<string, FieldNote>> = {
  'payments.price': {
    description: 'Of one token, in whole units of the currency, as a decimal string',
    examples: ['0.01', '25'],
  },
  'payments.currency': {
    description: 'The native currency of the collection’s chain when left out',
    examples: ['eth', 'usdc'],
  },
  'payments.requires': {
    description:
      'What an order has to name of its buyer before it can be paid: `physical-address` (else the order is `requires-physical-address`), `receipt-email` (else `requires-email`)',
    examples: [['physical-address', 'receipt-email']],
  },
  'payments.currencies': {
    description:
      'The currencies that orders may be paid in, of those that the deployment takes; all of them when left out. No change of an order leads out of them',
    examples: [['usdc']],
  },
  'payments.recipientAddress': {
    description:
      'Receives the proceeds and the royalties, and may claim the collection on marketplaces: it is the contract’s `owner()`, which has no power over minting, money or metadata. When left out, all of that is the deployment’s treasury',
  },
  'payments.royaltyBasisPoints': {
    description:
      'The royalty that marketplaces are asked to pay on resales (ERC-2981), in hundredths of a percent: 500 is 5 %. Needs `recipientAddress`',
    default: 0,
    examples: [500],
  },
}

const supplyLimit = 'How many tokens there may ever be, held by the contract too'

const nftMetadata: Readonly<Record<string, FieldNote>> = {
  'metadata.name': text('What wallets and marketplaces call the token', 'Gold'),
  'metadata.image': picture('Its picture'),
  'metadata.description': text('Shown below the name'),
}

const traits: Readonly<Record<string, FieldNote>> = {
  'metadata.animation_url': { description: `A film, a sound or a page to show with it. ${copied}` },
  'metadata.attributes': {
    description: 'Traits that marketplaces list',
    examples: [[{ trait_type: 'Material', value: 'Gold' }]],
  },
}

describeFields(CreateCollectionBody, {
  chain: {
    description: 'Where its contract is: a chain of the list that this deployment has enabled',
    examples: ['base-sepolia'],
  },
  'metadata.name': text('What wallets and marketplaces call the collection', 'Medals'),
  'metadata.description': text('Shown below the name'),
  'metadata.imageUrl': picture('Its picture'),
  'metadata.symbol': { ...text('The contract’s symbol', 'MEDAL'), default: 'TOKEN' },
  fungibility: {
    description:
      'Whether every token is one of its kind (ERC-721), or the copies of a template share a token id (ERC-1155)',
    default: 'non-fungible',
  },
  transferable:
    'false makes its tokens soulbound. true when left out, but false for subscriptions; EVM chains and Aptos only',
  supplyLimit: `${supplyLimit}; no limit when left out`,
  payments: 'What an order pays for a token; without it the collection is not on sale',
  ...payments,
  subscription: 'Tokens that end and can be renewed (ERC-5643); they are never transferable',
  'subscription.enabled': 'Whether its tokens are subscriptions',
  reuploadLinkedFiles: reupload,
})

describeFields(UpdateCollectionBody, {
  metadata: 'Fields that are left out stay as they are',
  'metadata.name': text('What wallets and marketplaces call the collection', 'Medals'),
  'metadata.description': { description: 'Shown below the name; null clears it' },
  'metadata.imageUrl': picture('Its picture; null clears it'),
  transferable: 'false makes its tokens soulbound',
  supplyLimit: `${supplyLimit}; null lifts it`,
  payments:
    'What an order pays for a token. Fields that are left out stay as they are; null takes the collection off sale',
  ...payments,
  'payments.recipientAddress':
    'Receives the proceeds and the royalties, and may claim the collection on marketplaces; null makes it the deployment’s treasury',
  'payments.royaltyBasisPoints': {
    description:
      'The royalty that marketplaces are asked to pay on resales (ERC-2981), in hundredths of a percent: 500 is 5 %. The contract follows',
    examples: [500],
  },
  reuploadLinkedFiles: reupload,
  chain: fixed,
  fungibility: fixed,
  subscription: fixed,
})

describeFields(MintNftBody, {
  recipient: {
    description:
      'Who gets it: `<chain>:<address>`, or a user whose wallet the service keeps: `email:<email>:<chain>`, `userId:<id>:<chain>`, `twitter:<handle>:<chain>`. The chain is the collection’s',
    examples: [
      'base-sepolia:0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      'email:ada@example.com:base-sepolia',
      'userId:42:base-sepolia',
      'twitter:ada:base-sepolia',
    ],
  },
  metadata: 'What the token shows; in place of `templateId`',
  ...nftMetadata,
  ...traits,
  templateId: {
    description: 'The template it is a copy of; in place of `metadata`',
    format: 'uuid',
  },
  sendNotification: {
    description: 'Whether a recipient known by an e-mail address is told when it has arrived',
    default: true,
  },
  locale: {
    description:
      'The language of that e-mail, as a BCP 47 tag. Without a translation, that of its language, else English',
    format: 'bcp47',
    default: 'en-US',
    examples: ['de-DE'],
  },
  reuploadLinkedFiles: reupload,
  compressed: 'Solana only',
})

describeFields(UpdateNftBody, {
  metadata: 'Takes the place of the present one as a whole',
  ...nftMetadata,
  ...traits,
  subscription: 'Renews a subscription',
  'subscription.expiresAt': {
    description: 'Its new end, before the year 2100',
    examples: ['2030-01-01T00:00:00Z'],
  },
  reuploadLinkedFiles: reupload,
  recipient: fixed,
  templateId: fixed,
})

describeFields(CreateTemplateBody, {
  ...nftMetadata,
  ...traits,
  'metadata.symbol': text('Solana only'),
  'onChain.tokenId': {
    description:
      'Semi-fungible collections: the token id that all copies share; the next free one when left out',
    examples: ['7'],
  },
  supply: 'How many copies there may be; as many as its collection allows when left out',
  'supply.limit': 'How many copies there may ever be, held by the contract too',
  reuploadLinkedFiles: reupload,
})

describeFields(UpdateTemplateBody, {
  metadata: 'Fields that are left out stay as they are',
  ...nftMetadata,
  ...traits,
  'metadata.symbol': text('Solana only'),
  supply: 'How many copies there may be',
  'supply.limit':
    'How many copies there may ever be: not less than are minted, being minted or paid for; once a copy is minted, not more than before',
  reuploadLinkedFiles: reupload,
  onChain: fixed,
})

describeFields(PageQuery, {
  page: 'Which page, from 1 on',
  perPage: 'How many on a page, 100 at most',
})

/** Exactly one, or at least one, of some fields. */
const eachOf = (...names: string[]) => names.map((name) => ({ required: [name] }))

z.globalRegistry.add(MintNftBody, { oneOf: eachOf('metadata', 'templateId') })
z.globalRegistry.add(UpdateTemplateBody, { anyOf: eachOf('metadata', 'supply') })
z.globalRegistry.add(UpdateNftBody, { anyOf: eachOf('metadata', 'subscription') })
z.globalRegistry.add(UpdateCollectionBody, {
  anyOf: eachOf('metadata', 'transferable', 'supplyLimit', 'payments'),
})
