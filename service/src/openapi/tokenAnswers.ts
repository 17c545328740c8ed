import { Action, Collection, Nft, Template } from 'kassa/schema'
import { describeFields, type FieldNote } from './describeFields.js'

const templateId: FieldNote = { description: 'The template’s id, given by the service', format: 'uuid' }
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
  payments: 'What an order pays for a token, as a decimal string in whole units of the currency',
  'payments.requires': 'What an order must contain before it can be paid',
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
