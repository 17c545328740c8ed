import { PageQuery, toPage } from 'kassa/engine'
import { Action, fields, MintNftBody, Nft, NftList, UpdateNftBody } from 'kassa/schema'
import { parseInput } from '#base/lib/parseInput.js'
import { getNft, listNfts } from '#goods/nfts/findNft.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { updateNft } from '#goods/nfts/updateNft.js'
import { burnNft } from '#holdings/transactions/burnNft.js'
import { defineRoute, type Route } from './route.js'

type Path = Readonly<Record<string, string>>
const collectionOf = (params: Path) => ({ collectionId: params.collectionId ?? '' })
const nftOf = (params: Path) => ({ ...collectionOf(params), nftId: params.nftId ?? '' })

const nft = (description: string) => ({ status: 200, schema: Nft, description }) as const
const refusals = ['input-invalid', 'not-found', 'conflict', 'body-too-large'] as const

/** Operations on the tokens of a collection. */
export const nftRoutes: readonly Route[] = [
  defineRoute('mintNft', {
    summary: 'Mint an NFT',
    description: 'Mints a token to a wallet, or to a user whose custodial wallet the service creates.',
    body: MintNftBody,
    answer: nft('The token, about to be minted'),
    refusals,
    run: (deps, call, { params, body }) => mintNft(deps, call, { ...collectionOf(params), body }),
  }),
  defineRoute('putNft', {
    summary: 'Mint an NFT under your own id',
    description: 'Mints one token for each id. Repeated requests return the same token.',
    body: MintNftBody,
    answer: nft('The token, about to be minted'),
    refusals,
    run: (deps, call, { params, body }) => {
      const nftId = parseInput(fields.ChosenId, params.nftId, 'nftId')
      return mintNft(deps, call, { ...collectionOf(params), nftId, body })
    },
  }),
  defineRoute('listNfts', {
    summary: 'List NFTs',
    description: 'The collection’s tokens, newest first.',
    query: PageQuery,
    answer: { status: 200, schema: NftList, description: 'A page of tokens' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) =>
      listNfts(deps, call, { ...collectionOf(params), ...toPage(query) }),
  }),
  defineRoute('getNft', {
    summary: 'Get an NFT',
    answer: nft('The token as it is now'),
    refusals: ['not-found'],
    run: (deps, call, { params }) => getNft(deps, call, nftOf(params)),
  }),
  defineRoute('updateNft', {
    summary: 'Update an NFT',
    description: 'Changes a token’s metadata, or renews a subscription.',
    body: UpdateNftBody,
    answer: nft('The token after the change, which its action tracks'),
    refusals,
    run: (deps, call, { params, body }) => updateNft(deps, call, { ...nftOf(params), body }),
  }),
  defineRoute('burnNft', {
    summary: 'Burn an NFT',
    description:
      'Destroys a token that one of the project’s custodial wallets holds; of a semi-fungible token, one copy of its first recipient. Refused with 409 if another wallet holds it. The same request again is answered with the same action, unless that burn failed.',
    answer: { status: 200, schema: Action, description: 'The action that tracks the burn' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'reverted', 'chain-unavailable'],
    run: (deps, call, { params }) => burnNft(deps, call, nftOf(params)),
  }),
]
