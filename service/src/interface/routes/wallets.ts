import { readWalletBody } from 'kassa/engine'
import { CreateWalletBody, Wallet } from 'kassa/schema'
import { checkInput } from '#base/errors.js'
import { createProgramWallet, isProgramWallet } from '#identity/wallets/createProgramWallet.js'
import { createWallet } from '#identity/wallets/createWallet.js'
import { getWallet } from '#identity/wallets/findWallet.js'
import { defineRoute, type Route } from './route.js'
import { walletOf } from './walletOf.js'

/** Operations on wallets. */
export const walletRoutes: readonly Route[] = [
  defineRoute('createWallet', {
    summary: 'Create a wallet',
    description:
      'A user has one wallet of each type. Repeated requests return the same wallet, also concurrent ones. With `linkedUser`, the key also needs the scope `users.create`.',
    // The type of the wallet determines its signers.
    documentedBody: CreateWalletBody,
    answer: { status: 201, schema: Wallet, description: 'The new wallet' },
    otherAnswer: { status: 200, description: 'The wallet that the user already has' },
    refusals: ['input-invalid', 'conflict', 'body-too-large', 'unprocessable'],
    run: (deps, call, { body }) =>
      isProgramWallet(deps, body)
        ? createProgramWallet(deps, call, body)
        : createWallet(
            deps,
            call,
            checkInput(() => readWalletBody(body)),
          ),
    toReply: (reply) => reply,
  }),
  defineRoute('getWallet', {
    summary: 'Get a wallet',
    answer: { status: 200, schema: Wallet, description: 'The wallet' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params }) => getWallet(deps, call, walletOf(params)),
  }),
]
