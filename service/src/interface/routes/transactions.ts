import { PageQuery, toPage } from 'kassa/engine'
import { ApproveTransactionBody, CreateTransactionBody, Transaction, TransactionList } from 'kassa/schema'
import { approveTransaction } from '#holdings/transactions/approveTransaction.js'
import { createTransaction } from '#holdings/transactions/createTransaction.js'
import { getTransaction, listTransactions } from '#holdings/transactions/readTransactions.js'
import { defineRoute, type Route } from './route.js'
import { walletOf } from './walletOf.js'

type Path = Readonly<Record<string, string>>
const transactionOf = (params: Path) => ({
  ...walletOf(params),
  transactionId: params.transactionId ?? '',
})

const transaction = (status: 200 | 201, description: string) =>
  ({ status, schema: Transaction, description }) as const

/** Operations on wallets' transactions. */
export const transactionRoutes: readonly Route[] = [
  defineRoute('listTransactions', {
    summary: 'List wallet transactions',
    description: 'The wallet’s transactions on all chains, newest first.',
    query: PageQuery,
    answer: { status: 200, schema: TransactionList, description: 'A page of transactions' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) =>
      listTransactions(deps, call, { ...walletOf(params), ...toPage(query) }),
  }),
  defineRoute('createTransaction', {
    summary: 'Create a transaction',
    description:
      'Simulates the calls and creates a transaction. The wallet’s signer approves it, or the service sends it at once if it is the signer. Several calls of a smart wallet are executed together or not at all.',
    // The wallet determines which of the forms is required.
    documentedBody: CreateTransactionBody,
    answer: transaction(201, 'The transaction, which awaits its approval or is being sent'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large', 'reverted', 'chain-unavailable'],
    run: (deps, call, { params, body }) => createTransaction(deps, call, { ...walletOf(params), body }),
  }),
  defineRoute('getTransaction', {
    summary: 'Get a transaction',
    answer: transaction(200, 'The transaction as it is now'),
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params }) => getTransaction(deps, call, transactionOf(params)),
  }),
  defineRoute('approveTransaction', {
    summary: 'Approve a transaction',
    description:
      'Accepts the signature of the wallet’s signer, and sends the transaction. The signed message is that of `approvals.pending`: an account signs its 32 bytes by EIP-191, and a passkey signs it as the challenge.',
    // The approval's form shows the kind of its signer.
    documentedBody: ApproveTransactionBody,
    answer: transaction(201, 'The transaction, which is being sent'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large', 'unprocessable'],
    run: (deps, call, { params, body }) => approveTransaction(deps, call, { ...transactionOf(params), body }),
  }),
]
