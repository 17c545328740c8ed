import { BalanceQuery } from 'kassa/engine'
import {
  ApproveTransactionBody,
  Balance,
  CreateTransactionBody,
  CreateWalletBody,
  Credential,
  FundBody,
  fields,
  Wallet,
  WalletToken,
} from 'kassa/schema'
import { describeFields, type FieldNote } from './describeFields.js'

const signerType: FieldNote = { description: 'The kind of signer' }
const chain: FieldNote = {
  description: 'A chain that this deployment has enabled',
  examples: ['base-sepolia'],
}
const base64url = 'in base64url, as the browser returns it'
const wei = (what: string): FieldNote => ({
  description: `${what}, in wei, as a decimal integer`,
  examples: ['0'],
})

describeFields(CreateWalletBody, {
  type: 'Who holds the key: the admin signer alone (smart wallets), or the service. A `solana-smart-wallet` is refused: it needs a program that the service has no adapter for',
  config: 'The configuration of a smart wallet',
  'config.adminSigner': 'The signer that controls a smart wallet. By default the service, as custodian',
  linkedUser: {
    description:
      'The owner: `email:<email>`, `userId:<id>`, `phoneNumber:<number>`, `twitter:<handle>` or `x:<handle>`. A user has one wallet of a type',
    examples: ['email:ada@example.com', 'userId:42'],
    pattern: '^(email|userId|phoneNumber|twitter|x):.+$',
  },
})

const locator = 'As the answer shows it; optional'

describeFields(fields.KeypairSignerInput, { type: signerType, address: 'The account that signs', locator })

describeFields(fields.PasskeySignerInput, {
  type: signerType,
  id: `The id of the credential, ${base64url}`,
  publicKey: 'The point of its P-256 key. The answer uses the same notation',
  'publicKey.x': '256 bits, `0x` and hex digits or a decimal integer',
  'publicKey.y': '256 bits, `0x` and hex digits or a decimal integer',
  name: 'The name that its user gave it',
  locator,
})

describeFields(fields.CustodialSignerInput, {
  type: signerType,
  address: 'The address of a wallet that its user already has. The service creates the key of a new one',
  locator,
})

describeFields(fields.SolanaCustodialSignerInput, {
  type: signerType,
  address: 'The address of a wallet that its user already has. The service creates the key of a new one',
  locator,
})

describeFields(CreateTransactionBody, {
  params: 'The calls. The wallet’s type determines the form',
})

describeFields(fields.EvmSmartWalletParams, {
  calls: 'Executed in this order, all or none',
  chain,
  signer:
    'Locator of the signer that approves it, with or without the prefix `evm-keypair:`. By default the wallet’s admin signer',
})

describeFields(fields.EvmMpcWalletParams, { call: 'The call of the account', chain })

describeFields(fields.ContractCall, {
  address: 'The contract',
  functionName: { description: 'One of the functions of `abi`', examples: ['transfer'] },
  abi: 'The contract’s ABI as compilers write it: at least that function, and the errors that it may revert with',
  args: 'The arguments in the order of the function’s inputs. Integers that a JSON number cannot represent are decimal strings',
  value: wei('The amount to send; 0 by default'),
})

describeFields(fields.DirectCall, {
  to: 'The address to call or pay',
  value: wei('The amount to send'),
  data: 'The encoded call',
})

describeFields(fields.SerializedCall, {
  transaction:
    'A serialized transaction, such as that of an order’s `preparation`. Its recipient, value and data are used; its fees and nonce are ignored',
})

for (const params of [fields.SolanaSmartWalletParams, fields.SolanaMpcWalletParams]) {
  describeFields(params, { transaction: 'The serialized transaction, in base58' })
}
describeFields(fields.SolanaMpcWalletParams, { requiredSigners: 'Locators of the other signers' })

describeFields(ApproveTransactionBody, { approvals: 'The signatures' })

describeFields(fields.KeypairApproval, {
  signer: 'Locator of the signer, as `approvals.pending` has it; the prefix `evm-keypair:` is accepted',
  signature: 'The 65 bytes of `personal_sign` (EIP-191) over the bytes of the message',
})

describeFields(fields.PasskeyApproval, {
  signer: 'Locator of the signer, as `approvals.pending` has it',
  signature: 'A P-256 signature with either of the two possible values of `s`. The lower one is sent',
  'signature.r': '256 bits, `0x` and hex digits or a decimal integer',
  'signature.s': '256 bits, `0x` and hex digits or a decimal integer',
  metadata:
    'The data that the authenticator signed, with the message as its challenge and with user verification',
  'metadata.authenticatorData': 'Bytes in hex',
  'metadata.clientDataJSON': 'The text itself',
  'metadata.challengeIndex': 'The index of `"challenge"` in `clientDataJSON`',
  'metadata.typeIndex': 'The index of `"type"` in `clientDataJSON`',
  'metadata.userVerificationRequired': 'Always required, even if it is false',
})

describeFields(FundBody, {
  amount: { description: 'In whole tokens, with at most 6 decimals', examples: [10, 2.5] },
  token: 'The test token',
  chain: 'A chain that this deployment has enabled and on which it has the token',
})

describeFields(BalanceQuery, {
  tokens: { description: 'Names separated by commas', examples: ['eth,usdc'] },
  chains: { description: 'Names separated by commas', examples: ['base-sepolia'] },
})

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
    error: 'Why it failed. Present if `status` is `failed`',
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
