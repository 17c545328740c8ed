import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { ApiKey } from 'kassa/schema'

/** The roles, from the most permissions to the fewest. */
export const roles = ['owner', 'operator', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

export type Session = {
  sessionId: string
  account: { accountId: string; name: string; role: Role }
  scopes: readonly string[]
  projectName?: string | undefined
  environment: 'staging' | 'production'
  /** The service's own name in collection locators. */
  namespace: string
  /** The chains that collections can be on. */
  chains: readonly string[]
  /** The explorer of each chain. */
  explorers: Record<string, string>
}

export type ListedSession = {
  sessionId: string
  isCurrent: boolean
  seenAt: string
  ipAddress?: string
  userAgent?: string
}

export type Passkey = { passkeyId: string; createdAt: string; usedAt?: string }

export type Member = {
  accountId: string
  name: string
  role: Role
  createdAt: string
  isCurrent: boolean
}

export type Invitation = { invitationId: string; email: string | null; role: Role; expiresAt: string }

type List<Item> = { answer: { data: Item[] } }

/** A request whose answer the pages do not read. */
type Command<Body = undefined> = { body: Body; answer: unknown }

/**
 * The requests to the console's own part of the service: by method and path, what each sends and what it answers. A test
 * compares the answers with those of the service.
 */
export type Requests = {
  'POST /auth/links': Command<{ token: string }>
  'POST /auth/emails': Command<{ email: string }>
  'POST /auth/challenges': { answer: PublicKeyCredentialRequestOptionsJSON }
  'POST /auth/assertions': Command<AuthenticationResponseJSON>
  'GET /auth/methods': { answer: { email: boolean } }
  'GET /account/session': { answer: Session }
  'DELETE /account/session': Command
  'GET /account/sessions': List<ListedSession>
  'DELETE /account/sessions': Command
  'DELETE /account/sessions/:sessionId': Command
  'POST /account/passkeys/registration': { answer: PublicKeyCredentialCreationOptionsJSON }
  'GET /account/passkeys': List<Passkey>
  'POST /account/passkeys': Command<RegistrationResponseJSON>
  'DELETE /account/passkeys/:passkeyId': Command
  'GET /members': List<Member>
  'POST /members/invitations': { body: { role: Role; email?: string }; answer: { link: string } }
  'GET /members/invitations': List<Invitation>
  'DELETE /members/invitations/:invitationId': Command
  'GET /members/:accountId/keys': List<ApiKey>
  'PATCH /members/:accountId': { body: { role: Role; keepKeys?: string[] }; answer: Member }
  'DELETE /members/:accountId': Command<{ keepKeys?: string[] }>
}

/** The names of the parameters in a path. */
type ParamOf<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What a request is given: the parameters of its path, and its body. */
export type Input<Name extends keyof Requests> = Record<ParamOf<Name>, string> &
  (Requests[Name] extends { body: infer Body extends object } ? { body: Body } : unknown)
