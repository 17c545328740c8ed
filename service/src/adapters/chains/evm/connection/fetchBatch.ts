type Call = { id?: unknown }

/** Returns the one error with which a node answers a whole batch. Answers to its calls are a list, and not read here. */
const readRefusal = (text: string): object | undefined => {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const answer = JSON.parse(text) as object
    return 'error' in answer ? answer : undefined
  } catch {
    return undefined
  }
}

/**
 * Sends a batch of calls. Some nodes answer a batch that they refuse with one error. It becomes the answer to each of the
 * calls, so that their callers learn why.
 */
export const fetchBatch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.ok) return response
  const text = await response.text()
  const { status, statusText } = response
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' }
  const refusal = readRefusal(text)
  if (!refusal) return new Response(text, { status, statusText, headers })
  const calls = [JSON.parse(String(init?.body))].flat() as Call[]
  const answers = calls.map(({ id }) => ({ ...refusal, id }))
  return new Response(JSON.stringify(answers), { status, statusText, headers })
}
