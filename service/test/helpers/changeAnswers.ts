import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'

/** Answers a request in the node's place, or with what the node answers. Requests of a list are together. */
export type ChangeAnswer = (
  method: string,
  answer: () => Promise<unknown>,
  isTogether: boolean,
) => Promise<unknown>

type Request = { id: string; method: string }

/** Creates a transport to a Solana node that may answer for it, each request of a list too. */
export const changeAnswers = (url: string, change: ChangeAnswer): RpcTransport => {
  const transport = createDefaultRpcTransport({ url })
  const answerOne = async (payload: Request, isTogether: boolean) => {
    const answer = await change(payload.method, () => transport({ payload }), isTogether)
    return { ...Object(answer), id: payload.id }
  }
  const send = async ({ payload }: { payload: unknown }) =>
    Array.isArray(payload)
      ? Promise.all(payload.map((each: Request) => answerOne(each, true)))
      : answerOne(payload as Request, false)
  return send as RpcTransport
}
