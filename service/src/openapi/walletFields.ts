import {
  ApproveTransactionBody,
  ContractCall,
  CreateTransactionBody,
  CreateWalletBody,
  CustodialSignerInput,
  DirectCall,
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  FundBody,
  KeypairApproval,
  KeypairSignerInput,
  PasskeyApproval,
  PasskeySignerInput,
  SerializedCall,
  SolanaMpcWalletParams,
  SolanaSmartWalletParams,
} from 'kassa/schema'
import { BalanceQuery } from '../routes/balances.js'
import { describeFields, type FieldNote } from './describeFields.js'

const signerType: FieldNote = { description: 'Which kind of signer it is' }
const chain: FieldNote = {
  description: 'Where it is to happen: a chain of the list that this deployment has enabled',
  examples: ['base-sepolia'],
}
const base64url = 'in base64url, as the browser tells it'
const wei = (what: string): FieldNote => ({
  description: `${what}, in wei, as a decimal integer`,
  examples: ['0'],
})

describeFields(CreateWalletBody, {
  type: 'Who holds the key: the admin signer alone (smart wallets), or the service. Those on Solana are refused where no Solana chain is enabled',
  config: 'How it is set up',
  'config.adminSigner': 'Who controls a smart wallet; the service, as custodian, when left out',
  linkedUser: {
    description:
      'Whose it is: `email:<email>`, `userId:<id>`, `phoneNumber:<number>`, `twitter:<handle>` or `x:<handle>`. A user has one wallet of a type',
    examples: ['email:ada@example.com', 'userId:42'],
    pattern: '^(email|userId|phoneNumber|twitter|x):.+$',
  },
})

const locator = 'As the answer shows it; may be left out'

describeFields(KeypairSignerInput, { type: signerType, address: 'The account that signs', locator })

describeFields(PasskeySignerInput, {
  type: signerType,
  id: `The id of the credential, ${base64url}`,
  publicKey: 'The point of its P-256 key. The answer has it in the same notation',
  'publicKey.x': '256 bits, `0x` and hex digits or a decimal integer',
  'publicKey.y': '256 bits, `0x` and hex digits or a decimal integer',
  name: 'What its user calls it',
  locator,
})

describeFields(CustodialSignerInput, {
  type: signerType,
  address: 'Of a wallet that its user has already; the service makes the key of a new one',
  locator,
})

describeFields(CreateTransactionBody, {
  params: 'What is to be done. Which of the forms it is, the wallet’s type decides',
})

describeFields(EvmSmartWalletParams, {
  calls: 'Done in this order, all of them or none',
  chain,
  signer:
    'Locator of the signer that approves it, with or without the prefix `evm-keypair:`; the wallet’s admin signer when left out',
})

describeFields(EvmMpcWalletParams, { call: 'What the account calls', chain })

describeFields(ContractCall, {
  address: 'The contract',
  functionName: { description: 'One of the functions of `abi`', examples: ['transfer'] },
  abi: 'The contract’s interface, as compilers write it: at least that function, and the errors that it may answer with',
  args: 'What the function is given, in the order of its inputs; integers as decimal strings where a number cannot hold them',
  value: wei('What is sent along; 0 when left out'),
})

describeFields(DirectCall, {
  to: 'Whom is called, or paid',
  value: wei('What is sent along'),
  data: 'The encoded call',
})

describeFields(SerializedCall, {
  transaction:
    'A serialized transaction, such as that of an order’s `preparation`: its recipient, value and data are taken, its fees and nonce are not',
})

for (const params of [SolanaSmartWalletParams, SolanaMpcWalletParams]) {
  describeFields(params, { transaction: 'The serialized transaction, in base58' })
}
describeFields(SolanaMpcWalletParams, { requiredSigners: 'Locators of those who sign beside the wallet' })

describeFields(ApproveTransactionBody, { approvals: 'What signers have signed' })

describeFields(KeypairApproval, {
  signer: 'Locator of the signer, as `approvals.pending` has it; the prefix `evm-keypair:` is accepted',
  signature: 'The 65 bytes of `personal_sign` (EIP-191) over the bytes of the message',
})

describeFields(PasskeyApproval, {
  signer: 'Locator of the signer, as `approvals.pending` has it',
  signature: 'Of P-256, with either of the two possible `s`: the lower is what is sent',
  'signature.r': '256 bits, `0x` and hex digits or a decimal integer',
  'signature.s': '256 bits, `0x` and hex digits or a decimal integer',
  metadata: 'What the authenticator signed, with the message as its challenge, and the user verified',
  'metadata.authenticatorData': 'Bytes in hex',
  'metadata.clientDataJSON': 'The text itself',
  'metadata.challengeIndex': 'Where `"challenge"` begins in `clientDataJSON`',
  'metadata.typeIndex': 'Where `"type"` begins in `clientDataJSON`',
  'metadata.userVerificationRequired': 'Always required, whatever is said',
})

describeFields(FundBody, {
  amount: { description: 'Of whole tokens, with 6 decimals at most', examples: [10, 2.5] },
  token: 'Which test token',
  chain: 'Where: a chain of the list that this deployment has enabled, and has the token on',
})

describeFields(BalanceQuery, {
  tokens: { description: 'Names separated by commas', examples: ['eth,usdc'] },
  chains: { description: 'Names separated by commas', examples: ['base-sepolia'] },
})
