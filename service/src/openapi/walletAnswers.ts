import { Balance, Credential, fields, Wallet, WalletToken } from 'kassa/schema'
import { describeFields } from './describeFields.js'

describeFields(Wallet, {
  address: 'The same on every EVM chain, whether anything stands there yet or not',
  config: 'The configuration of a smart wallet',
  linkedUser: 'Whose it is, in one spelling: e-mail addresses and handles in lower case, `x:` as `twitter:`',
  createdAt: 'ISO 8601',
})

describeFields(fields.AdminSigner, {
  address: 'Of accounts, the custodian’s too',
  id: 'Of passkeys: the id of the credential, in base64url',
  publicKey: 'Of passkeys: the point of the key',
  name: 'Of passkeys: what the user calls it',
  locator: 'How transactions name it',
})

for (const variant of [fields.EvmSmartWalletTransaction, fields.EvmMpcWalletTransaction]) {
  describeFields(variant, {
    walletType: 'Which of the variants it is',
    params: 'What was asked for',
    approvals: 'Who has to sign, and who has',
    'approvals.required': 'How many signatures it takes',
    createdAt: 'ISO 8601',
    completedAt: 'ISO 8601; absent until it is final',
    error: 'Why it came to nothing; there when `status` is `failed`',
    'onChain.txId': 'The transaction it landed in',
    'onChain.explorerLink': 'Where to look at it',
  })
}

describeFields(fields.EvmSmartWalletTransaction, {
  'onChain.userOperation': 'What is signed and sent',
  'onChain.userOperationHash': 'By which the EntryPoint and bundlers know it: the message of its approval',
})

describeFields(fields.PendingApproval, {
  signer: 'Locator of the signer',
  message: 'The 32 bytes to sign, in hex: accounts by `personal_sign`, passkeys as the challenge',
})

describeFields(fields.SubmittedApproval, { submittedAt: 'ISO 8601' })

describeFields(fields.UserOperation, {
  nonce: 'In hex: 192 bits of a channel, then 64 bits that count within it',
  signature: '`0x` until it is signed',
  factory: 'Absent: the service puts a wallet on its chain itself, before the first operation of it',
})

describeFields(fields.TransactionError, {
  revert: 'Of `execution_reverted`',
  logs: 'Of `program_error`',
})

describeFields(fields.Revert, {
  reason: 'Decoded: the sentence, the panic, or the error of the `abi` with what it holds',
  reasonData: 'The bytes that the contract answered with',
  explorerLink: 'Where to look at the transaction, once it is on its chain',
  simulationLink:
    'Where to replay the call, if the deployment names a simulator and the transaction is one call',
})

describeFields(Balance, {
  decimals: 'How many decimals the amounts have',
  balances: 'By chain, and the `total` of all, in base units as decimal integers',
})

describeFields(WalletToken, {
  tokenId: 'A decimal integer',
  mintHash: 'In place of `contractAddress` and `tokenId` on Solana',
  metadata: 'What wallets show',
  locator: '`<chain>:<contractAddress>:<tokenId>`',
  subscription: 'Of ERC-5643',
  'subscription.expiresAt': 'Until when it runs, in ISO 8601',
})

describeFields(Credential, {
  issuer: 'Whose word it is: `did:pkh:eip155:<chainId>:<address>` of the key that signed',
  credentialSubject: 'Who holds the token',
  'credentialSubject.id': 'The DID of the token’s owner',
  issuanceDate: 'ISO 8601: the moment at which it was so',
  expirationDate: 'ISO 8601',
})

describeFields(fields.CredentialProof, {
  proofValue: '`0x` and the 65 bytes of a signature by EIP-712',
  eip712:
    'What it takes to check it, beside the credential itself. `types` has `EIP712Domain`; ethers wants it left out',
})
