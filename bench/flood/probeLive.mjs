import { once } from 'node:events'
import { Agent, get } from 'node:http'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const everyMs = 10

/** @type {string} */
const url = (await once(process, 'message'))[0]
const agent = new Agent({ keepAlive: true })

/** @returns {Promise<number>} how long an answer took, in milliseconds */
const ask = async () => {
  const startedAt = performance.now()
  const [answer] = await once(get(`${url}/live`, { agent }), 'response')
  answer.resume()
  await once(answer, 'end')
  return performance.now() - startedAt
}

let isDone = false
process.once('message', () => {
  isDone = true
})
/** @type {number[]} */
const times = []
while (!isDone) {
  times.push(await ask())
  await sleep(everyMs)
}
agent.destroy()
process.send?.(times)
process.disconnect()
