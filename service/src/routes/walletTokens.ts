import { WalletTokenList } from 'kassa/schema'
import { listWalletTokens } from '../tokens/listWalletTokens.js'
import { PageQuery, toPage } from './pageQuery.js'
import { defineRoute, type Route } from './route.js'

/** Operations on wallets' tokens. */
export const walletTokenRoutes: readonly Route[] = [
  defineRoute('listWalletTokens', {
    summary: 'List the tokens in a wallet',
    description:
      'What an address, or a user in all their wallets, holds on a chain, each token verified there: tokens of any contract. How complete the list is: what came to a wallet of the project since the service first knew the wallet; everything of the project’s own collections and, from their first blocks on, of contracts that the operator named; and for another address what its node tells: the whole chain where the node searches that at once, otherwise the last blocks (about 40,000, fewer where the node allows less). The deployer of a contract decides what its tokens show, so show the names and pictures of unknown contracts with care. In the order in which they came. A token that leaves keeps its place until the first page is read again (half a minute at least, some ten minutes at most), so that nothing that stays is missed or seen twice by who reads page after page; meanwhile a page may be shorter than asked. The list ends with an empty page. A user without a wallet holds nothing.',
    query: PageQuery,
    answer: { status: 200, schema: WalletTokenList, description: 'A page of tokens' },
    refusals: ['input-invalid', 'chain-unavailable'],
    errorForm: 'text',
    run: (deps, call, { params, query }) =>
      listWalletTokens(deps, call, { identifier: params.identifier ?? '', ...toPage(query) }),
  }),
]
