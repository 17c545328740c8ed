import { PageQuery, toPage } from 'kassa/engine'
import { WalletTokenList } from 'kassa/schema'
import { listWalletTokens } from '#holdings/tokens/listWalletTokens.js'
import { defineRoute, type Route } from './route.js'

/** Operations on wallets' tokens. */
export const walletTokenRoutes: readonly Route[] = [
  defineRoute('listWalletTokens', {
    summary: 'List the tokens in a wallet',
    description:
      'Lists the tokens of any contract that an address holds on a chain, or a user in all their wallets, in the order in which they arrived. Each token is verified on chain. The list is complete for the project’s collections, for contracts that the operator named, and for tokens that arrived in a wallet of the project after the service first knew the wallet. For other addresses it has what the node returns: of the whole chain if the node searches it at once, otherwise of the last blocks (about 40,000, or fewer if the node allows less). The deployer of a contract chooses the names and pictures of its tokens, so show those of unknown contracts with care. A token that leaves keeps its place until the first page is read again (for between half a minute and ten minutes), so that a reader of several pages neither misses a token nor sees one twice. Until then a page may be shorter than requested. The list ends with an empty page. A user without a wallet holds nothing.',
    query: PageQuery,
    answer: { status: 200, schema: WalletTokenList, description: 'A page of tokens' },
    refusals: ['input-invalid', 'chain-unavailable'],
    errorForm: 'text',
    run: (deps, call, { params, query }) =>
      listWalletTokens(deps, call, { identifier: params.identifier ?? '', ...toPage(query) }),
  }),
]
