/** Whether an answer is a stream of server-sent events. */
export const isEventStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') ?? false

/** Returns the body of an answer: of a stream, the data of its first event. */
export const readAnswer = async (response: Response): Promise<string> => {
  const reader = isEventStream(response) && response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return response.text()
  for (let text = ''; ; ) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`a stream ended before its first event: ${text}`)
    text += value
    const [, data] = /^data: (.*)\n\n/m.exec(text) ?? []
    if (data === undefined) continue
    await reader.cancel()
    return data
  }
}
