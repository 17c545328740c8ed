import type { TransactionError } from '@solana/kit'

/** The name of an error: errors with details are objects with their name as the only key. */
type NameOf<Failure> = Failure extends string ? Failure : keyof Failure

/** The errors that `@solana/kit` describes, and newer ones of the validator Agave. */
type ErrorName = NameOf<TransactionError> | 'ProgramCacheHitMaxLimit' | 'CommitCancelled'

/**
 * What the error of a simulation says. `final` errors are about the write, which fails the same way each time.
 * `passing` errors are about the node, the block or the fee payer, and the same write may succeed later. `rent` depends
 * on the account that would hold too little.
 */
type Meaning = 'final' | 'passing' | 'rent'

/** Every error of a whole transaction in Agave, and what it means before the transaction is sent. */
export const simulationErrors: Readonly<Record<ErrorName, Meaning>> = {
  // Another transaction of the same block holds an account.
  AccountInUse: 'passing',
  AccountBorrowOutstanding: 'final',
  AccountLoadedTwice: 'final',
  // The fee payer has no account yet.
  AccountNotFound: 'passing',
  AddressLookupTableNotFound: 'final',
  // Another process has sent the same bytes. The next attempt finds what they did.
  AlreadyProcessed: 'passing',
  // The node is behind, or has lost the block.
  BlockhashNotFound: 'passing',
  CallChainTooDeep: 'final',
  ClusterMaintenance: 'passing',
  // The block could not be recorded.
  CommitCancelled: 'passing',
  DuplicateInstruction: 'final',
  // A program refused its instruction. See `isGuardUnpaid` for the one exception.
  InstructionError: 'final',
  InsufficientFundsForFee: 'passing',
  InsufficientFundsForRent: 'rent',
  // The fee payer's account is one that pays no fees.
  InvalidAccountForFee: 'passing',
  InvalidAccountIndex: 'final',
  InvalidAddressLookupTableData: 'final',
  InvalidAddressLookupTableIndex: 'final',
  InvalidAddressLookupTableOwner: 'final',
  InvalidLoadedAccountsDataSizeLimit: 'final',
  InvalidProgramForExecution: 'final',
  InvalidRentPayingAccount: 'final',
  InvalidWritableAccount: 'final',
  MaxLoadedAccountsDataSizeExceeded: 'final',
  MissingSignatureForFee: 'final',
  ProgramAccountNotFound: 'final',
  // The node has no room for the program now.
  ProgramCacheHitMaxLimit: 'passing',
  ProgramExecutionTemporarilyRestricted: 'passing',
  // The rules of the cluster changed between two checks of the transaction.
  ResanitizationNeeded: 'passing',
  SanitizeFailure: 'final',
  SignatureFailure: 'final',
  TooManyAccountLocks: 'final',
  UnbalancedTransaction: 'final',
  UnsupportedVersion: 'final',
  // The block is full, or has written as much to one account, for votes or in data as a block may.
  WouldExceedAccountDataBlockLimit: 'passing',
  WouldExceedAccountDataTotalLimit: 'passing',
  WouldExceedMaxAccountCostLimit: 'passing',
  WouldExceedMaxBlockCostLimit: 'passing',
  WouldExceedMaxVoteCostLimit: 'passing',
}

const meanings: Readonly<Record<string, Meaning | undefined>> = simulationErrors

/** The account of the fee payer is the first of its transaction. */
const isOfFeePayer = (details: unknown): boolean =>
  Number((Object(details) as { account_index?: unknown }).account_index) === 0

/**
 * Whether a write whose simulation failed may succeed later. An error that is not in the table counts as passing: the
 * write is only tried again, and a refusal that is recorded wrongly would never be.
 */
export const isPassing = (error: TransactionError): boolean => {
  const [name = '', details] = typeof error === 'string' ? [error] : (Object.entries(error)[0] ?? [])
  const meaning = meanings[name] ?? 'passing'
  return meaning === 'rent' ? isOfFeePayer(details) : meaning === 'passing'
}
