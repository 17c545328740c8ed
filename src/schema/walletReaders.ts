// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { BalanceList } from './balance.js'
import type { CredentialAnswer } from './credential.js'
import {
  anything,
  either,
  except,
  list,
  literal,
  maybe,
  number,
  object,
  type Reader,
  reader,
  record,
  something,
  text,
} from './read.js'
import type { Transaction, TransactionList } from './transaction.js'
import type { Wallet } from './wallet.js'
import type { WalletTokenList } from './walletToken.js'

const isApprovals = /* @__PURE__ */ maybe(
  object({
    pending: maybe(list(object({ signer: text, message: text }))),
    submitted: maybe(
      list(
        object({
          signer: text,
          message: text,
          signature: text,
          submittedAt: maybe(either(text, number)),
          metadata: maybe(
            object({ deviceInfo: maybe(text), ipAddress: maybe(text), userAgent: maybe(text) }),
          ),
        }),
      ),
    ),
    required: maybe(number),
  }),
)

const isError = /* @__PURE__ */ maybe(
  object({
    reason: text,
    message: maybe(text),
    revert: maybe(
      object({
        type: text,
        reason: text,
        reasonData: maybe(text),
        explorerLink: maybe(text),
        simulationLink: maybe(text),
      }),
    ),
    logs: anything,
  }),
)

const isSendParams = /* @__PURE__ */ maybe(
  object({
    token: maybe(text),
    params: maybe(object({ amount: maybe(text), recipient: maybe(text), recipientAddress: maybe(text) })),
  }),
)

const isOnChain = /* @__PURE__ */ object({
  transaction: text,
  lastValidBlockHeight: maybe(number),
  txId: maybe(text),
  explorerLink: maybe(text),
})

const isBalanceList = /* @__PURE__ */ list(object({ token: text, decimals: number, balances: record(text) }))

/** Reads what the schema BalanceList describes. */
export const readBalanceList: Reader<BalanceList> = /* @__PURE__ */ reader(isBalanceList)

const isWallet = /* @__PURE__ */ object({
  type: text,
  address: text,
  config: maybe(
    object({
      adminSigner: maybe(
        object({
          type: text,
          address: maybe(text),
          id: maybe(text),
          publicKey: maybe(object({ x: text, y: text })),
          name: maybe(text),
          locator: maybe(text),
        }),
      ),
    }),
  ),
  linkedUser: maybe(text),
  createdAt: maybe(either(text, number)),
})

/** Reads what the schema Wallet describes. */
export const readWallet: Reader<Wallet> = /* @__PURE__ */ reader(isWallet)

const isWalletTokenList = /* @__PURE__ */ list(
  object({
    chain: text,
    contractAddress: maybe(text),
    tokenId: maybe(text),
    mintHash: maybe(text),
    metadata: object({
      name: maybe(text),
      description: maybe(text),
      image: maybe(text),
      animation_url: maybe(text),
      attributes: maybe(list(something)),
      collection: maybe(object({})),
    }),
    locator: text,
    tokenStandard: maybe(text),
    subscription: maybe(object({ expiresAt: text })),
  }),
)

/** Reads what the schema WalletTokenList describes. */
export const readWalletTokenList: Reader<WalletTokenList> = /* @__PURE__ */ reader(isWalletTokenList)

const isCredentialAnswer = /* @__PURE__ */ object({
  value: object({
    '@context': list(text),
    id: text,
    type: list(text),
    issuer: object({ id: text }),
    credentialSubject: object({ id: text }),
    nft: object({ chain: text, contractAddress: maybe(text), tokenId: maybe(text), mintHash: maybe(text) }),
    issuanceDate: text,
    expirationDate: maybe(text),
    proof: object({
      type: text,
      created: text,
      proofPurpose: text,
      verificationMethod: text,
      proofValue: text,
      eip712: maybe(object({ domain: object({}), types: object({}), primaryType: text })),
    }),
  }),
})

/** Reads what the schema CredentialAnswer describes. */
export const readCredentialAnswer: Reader<CredentialAnswer> = /* @__PURE__ */ reader(isCredentialAnswer)

const isTransaction = /* @__PURE__ */ either(
  object({
    walletType: literal('evm-smart-wallet'),
    id: text,
    status: text,
    approvals: isApprovals,
    createdAt: either(text, number),
    completedAt: maybe(either(text, number)),
    error: isError,
    sendParams: isSendParams,
    params: object({ calls: list(object({})), chain: text, signer: maybe(text) }),
    onChain: object({
      userOperation: object({
        sender: text,
        nonce: text,
        callData: text,
        callGasLimit: text,
        verificationGasLimit: text,
        preVerificationGas: text,
        maxFeePerGas: text,
        maxPriorityFeePerGas: text,
        signature: text,
        factory: maybe(text),
        factoryData: maybe(text),
        paymaster: maybe(text),
        paymasterVerificationGasLimit: maybe(text),
        paymasterPostOpGasLimit: maybe(text),
        paymasterData: maybe(text),
      }),
      userOperationHash: text,
      txId: maybe(text),
      explorerLink: maybe(text),
    }),
  }),
  object({
    walletType: literal('evm-mpc-wallet'),
    id: text,
    status: text,
    approvals: isApprovals,
    createdAt: either(text, number),
    completedAt: maybe(either(text, number)),
    error: isError,
    sendParams: isSendParams,
    params: object({ call: object({}), chain: text }),
    onChain: object({ call: object({ to: text, data: text }), txId: maybe(text), explorerLink: maybe(text) }),
  }),
  object({
    walletType: literal('solana-smart-wallet'),
    id: text,
    status: text,
    approvals: isApprovals,
    createdAt: either(text, number),
    completedAt: maybe(either(text, number)),
    error: isError,
    sendParams: isSendParams,
    params: object({ transaction: text, requiredSigners: maybe(list(text)), signer: maybe(text) }),
    onChain: isOnChain,
  }),
  object({
    walletType: literal('solana-mpc-wallet'),
    id: text,
    status: text,
    approvals: isApprovals,
    createdAt: either(text, number),
    completedAt: maybe(either(text, number)),
    error: isError,
    sendParams: isSendParams,
    params: object({ transaction: text, requiredSigners: maybe(list(text)), signer: maybe(text) }),
    onChain: isOnChain,
  }),
  object({
    walletType: except('evm-smart-wallet', 'evm-mpc-wallet', 'solana-smart-wallet', 'solana-mpc-wallet'),
    id: text,
    status: text,
    approvals: isApprovals,
    createdAt: either(text, number),
    completedAt: maybe(either(text, number)),
    error: isError,
    sendParams: isSendParams,
    params: object({ chain: maybe(text) }),
    onChain: object({ txId: maybe(text), explorerLink: maybe(text) }),
  }),
)

/** Reads what the schema Transaction describes. */
export const readTransaction: Reader<Transaction> = /* @__PURE__ */ reader(isTransaction)

const isTransactionList = /* @__PURE__ */ object({ transactions: list(isTransaction) })

/** Reads what the schema TransactionList describes. */
export const readTransactionList: Reader<TransactionList> = /* @__PURE__ */ reader(isTransactionList)
