import { PageQuery } from 'kassa/engine'
import {
  Action,
  Collection,
  CreateCollectionBody,
  CreateTemplateBody,
  MintNftBody,
  Nft,
  StoredFile,
  Template,
  UpdateCollectionBody,
  UpdateNftBody,
  UpdateTemplateBody,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { describeFields, type FieldNote } from './describeFields.js'

const text = (description: string, ...examples: string[]): FieldNote => ({
  description,
  minLength: 1,
  ...(examples.length && { examples }),
})

const copied =
  'Copied from its public URL (at most 20 MiB in 10 s) and stored under its IPFS address, unless `reuploadLinkedFiles` is false. `ipfs://` and `ar://` URLs are kept'

const reupload: FieldNote = {
  description: 'Whether linked files are copied and stored under their IPFS addresses',
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
    description: 'The price of one token, in whole units of the currency, as a decimal string',
    examples: ['0.01', '25'],
  },
  'payments.currency': {
    description:
      'By default the native currency of the collection’s chain. `usd` is a price in US dollars: the quote converts it to the currency of the order',
    examples: ['eth', 'usdc'],
  },
  'payments.requires': {
    description:
      'The buyer details that an order needs before it can be paid: `physical-address` (else the order is `requires-physical-address`), `receipt-email` (else `requires-email`)',
    examples: [['physical-address', 'receipt-email']],
  },
  'payments.currencies': {
    description:
      'The currencies that orders may be paid in, of those that the deployment accepts. By default all of them. An order cannot be changed to another currency',
    examples: [['usdc']],
  },
  'payments.recipientAddress': {
    description:
      'Receives the proceeds and the royalties, and may claim the collection on marketplaces: it is the contract’s `owner()`, which has no power over minting, money or metadata. By default it is the deployment’s treasury',
  },
  'payments.royaltyBasisPoints': {
    description:
      'The royalty that marketplaces are asked to pay on resales (ERC-2981), in hundredths of a percent: 500 is 5 %. Needs `recipientAddress`',
    default: 0,
    examples: [500],
  },
}

const saleTime = { examples: ['2027-01-10T12:00:00Z'] }

const maxPerBuyer =
  'The most tokens that one buyer can get. Tokens count from the time when the limit was set. An order of more is `item-unavailable` with the reason `limit-reached`'

const sale: Readonly<Record<string, string | FieldNote>> = {
  'sale.startsAt': {
    description:
      'When the sale starts. Before, an order’s items are `item-unavailable` with the reason `sale-not-started`',
    ...saleTime,
  },
  'sale.endsAt': {
    description:
      'When the sale ends: no quote is valid for longer. A payment that was in time is delivered after it',
    ...saleTime,
  },
  'sale.phases':
    'The phases of the sale: each lasts until the next one starts. No quote is valid for longer than its phase. A list replaces the one before',
  'sale.phases.name': { description: 'Names it to buyers', examples: ['Members'] },
  'sale.phases.startsAt': { description: 'Required from the second phase on', ...saleTime },
  'sale.phases.allowList':
    'The wallets that may buy in this phase; without it, everyone may. Other orders are `item-unavailable` with the reason `not-in-phase`',
  'sale.phases.allowList.addresses': 'Addresses of wallets that receive the tokens, at most 10000',
  'sale.phases.allowList.merkleRoot':
    'The root of a standard Merkle tree of OpenZeppelin with leaves `["address"]`. An order sends its proof as `allowListProof`. EVM chains only',
  'sale.phases.maxTokens': 'The most tokens that are sold in this phase',
  'sale.maxPerBuyer': maxPerBuyer,
  'sale.maxPerBuyer.wallet':
    'By the wallet that receives the tokens. All wallets of an e-mail user are one buyer',
  'sale.maxPerBuyer.email':
    'By e-mail address: the recipient’s, and the one for the receipt. An order without one is `requires-email`',
  'sale.maxPerBuyer.payer': 'By the account that pays, whichever one the order names',
  'sale.promotionCodes':
    'Codes that lower the price. A list replaces the one before; what a code was used before still counts',
  'sale.promotionCodes.code': {
    description: 'As buyers enter it. Not case-sensitive',
    examples: ['SUMMER-20'],
  },
  'sale.promotionCodes.percent': {
    description: 'What it takes off the price, in percent; instead of `amount`',
    examples: ['20'],
  },
  'sale.promotionCodes.amount': {
    description:
      'What it takes off the price of each line item, in the currency of the price; instead of `percent`',
    examples: ['0.002'],
  },
  'sale.promotionCodes.limit': 'How often it can be used. Each line item that it discounts is one use',
  'sale.promotionCodes.expiresAt': { description: 'When it expires', ...saleTime },
}

const supplyLimit = 'The highest number of tokens, which the contract enforces too'

const nftMetadata: Readonly<Record<string, FieldNote>> = {
  'metadata.name': text('The name that wallets and marketplaces show', 'Gold'),
  'metadata.image': picture('Its picture'),
  'metadata.description': text('Shown below the name'),
}

const traits: Readonly<Record<string, FieldNote>> = {
  'metadata.animation_url': { description: `A video, a sound or a page to show with it. ${copied}` },
  'metadata.attributes': {
    description: 'Traits that marketplaces list',
    examples: [[{ trait_type: 'Material', value: 'Gold' }]],
  },
}

describeFields(CreateCollectionBody, {
  chain: {
    description: 'The chain of its contract, which this deployment has enabled',
    examples: ['base-sepolia'],
  },
  'metadata.name': text('The name that wallets and marketplaces show', 'Medals'),
  'metadata.description': text('Shown below the name'),
  'metadata.imageUrl': picture('Its picture'),
  'metadata.symbol': { ...text('The contract’s symbol', 'MEDAL'), default: 'TOKEN' },
  fungibility: {
    description:
      'Whether each token is unique (ERC-721), or the copies of a template share a token id (ERC-1155)',
    default: 'non-fungible',
  },
  transferable:
    'false makes its tokens soulbound. Default: true, and false for subscriptions. On Solana, each token fixes it when it is minted',
  supplyLimit: `${supplyLimit}; no limit by default`,
  payments: 'The price of a token. Without it, the collection is not on sale',
  ...payments,
  sale: 'The rules of its sale, an extension of the interface',
  ...sale,
  subscription: 'Tokens that expire and can be renewed (ERC-5643). They are never transferable',
  'subscription.enabled': 'Whether its tokens are subscriptions',
  reuploadLinkedFiles: reupload,
})

describeFields(UpdateCollectionBody, {
  'sale.phases.allowList.listId':
    'Keeps the addresses that the collection has under this id, instead of `addresses`',
  metadata: 'Omitted fields stay unchanged',
  'metadata.name': text('The name that wallets and marketplaces show', 'Medals'),
  'metadata.description': { description: 'Shown below the name; null clears it' },
  'metadata.imageUrl': picture('Its picture; null clears it'),
  transferable: 'false makes its tokens soulbound. It cannot change on Solana',
  supplyLimit: `${supplyLimit}. "unlimited" removes it`,
  payments: 'The price of a token. Omitted fields stay unchanged; null takes the collection off sale',
  ...payments,
  'payments.recipientAddress':
    'Receives the proceeds and the royalties, and may claim the collection on marketplaces; null makes it the deployment’s treasury',
  'payments.royaltyBasisPoints': {
    description:
      'The royalty that marketplaces are asked to pay on resales (ERC-2981), in hundredths of a percent: 500 is 5 %. The contract is updated',
    examples: [500],
  },
  sale: 'The rules of its sale, an extension of the interface. Omitted rules and limits stay unchanged. null removes a rule, or all of them, and "unlimited" removes a limit',
  ...sale,
  'sale.maxPerBuyer': `${maxPerBuyer}. Omitted limits stay unchanged`,
  reuploadLinkedFiles: reupload,
  chain: fixed,
  fungibility: fixed,
  subscription: fixed,
})

describeFields(MintNftBody, {
  recipient: {
    description:
      'The recipient: `<chain>:<address>`, or a user with a custodial wallet: `email:<email>:<chain>`, `userId:<id>:<chain>`, `twitter:<handle>:<chain>`. The chain is the collection’s',
    examples: [
      'base-sepolia:0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      'email:ada@example.com:base-sepolia',
      'userId:42:base-sepolia',
      'twitter:ada:base-sepolia',
    ],
  },
  metadata: 'The token’s metadata; instead of `templateId`',
  ...nftMetadata,
  ...traits,
  templateId: {
    description: 'The id of the template to copy; instead of `metadata`',
  },
  sendNotification: {
    description: 'Whether a recipient with an e-mail address gets an e-mail when the token has arrived',
    default: true,
  },
  locale: {
    description:
      'The language of that e-mail, as a BCP 47 tag. Falls back to its primary language, then to English',
    format: 'bcp47',
    default: 'en-US',
    examples: ['de-DE'],
  },
  reuploadLinkedFiles: reupload,
  compressed:
    'Whether it may be a compressed token. On Solana the default is true; other chains have none, and refuse true. `onChain.compressed` of the answer says whether it is',
})

describeFields(UpdateNftBody, {
  metadata: 'Replaces the present metadata as a whole',
  ...nftMetadata,
  ...traits,
  subscription: 'Renews a subscription',
  'subscription.expiresAt': {
    description: 'The new expiry, before the year 2100',
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
      'Semi-fungible collections: the token id that all copies share. By default the next free one',
    examples: ['7'],
  },
  supply: 'The supply of copies. By default as many as the collection allows',
  'supply.limit': 'The highest number of copies, which the contract enforces too',
  reuploadLinkedFiles: reupload,
})

describeFields(UpdateTemplateBody, {
  metadata: 'Omitted fields stay unchanged',
  ...nftMetadata,
  ...traits,
  'metadata.symbol': text('Solana only'),
  supply: 'The supply of copies',
  'supply.limit':
    'The highest number of copies: not less than are minted, being minted or paid for. "unlimited" removes it',
  reuploadLinkedFiles: reupload,
  onChain: fixed,
})

describeFields(PageQuery, {
  page: 'The page, from 1 on',
  perPage: 'The number of entries on a page, at most 100',
})

/** Exactly one, or at least one, of some fields. */
const eachOf = (...names: string[]) => names.map((name) => ({ required: [name] }))

z.globalRegistry.add(MintNftBody, { oneOf: eachOf('metadata', 'templateId') })
z.globalRegistry.add(UpdateTemplateBody, { anyOf: eachOf('metadata', 'supply') })
z.globalRegistry.add(UpdateNftBody, { anyOf: eachOf('metadata', 'subscription') })
z.globalRegistry.add(UpdateCollectionBody, {
  anyOf: eachOf('metadata', 'transferable', 'supplyLimit', 'payments', 'sale'),
})

const templateId: FieldNote = {
  description: 'The template’s id: a UUID that the service gave it, or the id that you chose',
}
const actionId: FieldNote = {
  description: 'What follows the change to its end: ask for it at `/actions/{actionId}`',
  format: 'uuid',
}

describeFields(Collection, {
  id: 'As it was chosen, or given by the service',
  'metadata.imageUrl': 'An `ipfs://` URI where the picture was copied',
  'onChain.contractAddress': 'Where the contract is, or will be',
  'onChain.mintAddress': 'In place of `contractAddress` on Solana',
  transferable: 'Whether owners can give tokens away',
  supplyLimit: 'How many tokens there may ever be',
  'supply.minted': 'How many tokens there are, or are on their way',
  'supply.reserved': 'How many more are kept for paid orders',
  payments: 'What an order pays for a token, as a decimal string in whole units of the currency',
  'payments.requires': 'What an order must contain before it can be paid',
  sale: 'The rules of its sale, an extension of the interface; absent without rules',
  'sale.promotionCodes.amount': 'A decimal string in whole units of `payments.currency`',
  actionId,
})

describeFields(Nft, {
  id: 'As it was chosen, or given by the service; not the token id on chain',
  metadata: 'What wallets and marketplaces show',
  templateId,
  'onChain.contractAddress': 'EVM chains only',
  'onChain.tokenId': 'The number of the token on its chain, once minted: a decimal integer',
  'onChain.mintHash': 'Solana, once minted',
  'onChain.owner': 'The address it was minted to',
  'onChain.txId': 'The transaction that minted it',
  'subscription.expiresAt': 'Until when it runs, in ISO 8601',
  actionId,
})

describeFields(Template, {
  templateId,
  'onChain.tokenId': 'Semi-fungible collections: the token id that all copies share',
  'supply.limit': 'How many copies there may ever be',
  'supply.minted': 'How many there are, or are on their way',
})

describeFields(Action, {
  actionId: { description: 'Its id', format: 'uuid' },
  startedAt: 'ISO 8601',
  completedAt: 'ISO 8601; absent until it has ended',
  resource: 'URL of what it is about',
})

describeFields(StoredFile, {
  url: 'The `ipfs://` URI of the picture, for `imageUrl` of a collection and `image` of a token',
  gatewayUrl: 'Where the service serves it to browsers',
  contentType: 'The type that its bytes show',
  size: 'Its length in bytes',
})
