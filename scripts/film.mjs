import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { privateDir, root, stateDir } from './lib/paths.mjs'
import { run, step } from './lib/steps.mjs'

const pictures = join(stateDir, 'purchase')
const target = join(root, 'docs/purchase')

/** The screenshots of a purchase in their order, and how long each is shown. @units milliseconds */
const frames = [
  { name: '01-shop-opened', ms: 1_600 },
  { name: '02-edition-chosen', ms: 2_000 },
  { name: '03-order-created', ms: 2_000 },
  { name: '04-wallet-connected', ms: 2_000 },
  { name: '05-payment-asked', ms: 2_400 },
  { name: '06-payment-sent', ms: 1_600 },
  { name: '07-delivered', ms: 4_000 },
]

/** The pictures of the quickstart. */
const stills = {
  edition: '02-edition-chosen',
  checkout: '04-wallet-connected',
  wallet: '05-payment-asked',
  receipt: '07-delivered',
}

/** @param {string} name */
const fileOf = (name) => join(pictures, `${name}.png`)

/** Makes the pictures of the documents from the screenshots that `npm run purchase` has left. */
await run(async () => {
  if (!frames.every(({ name }) => existsSync(fileOf(name))))
    throw new Error('The screenshots of a purchase are not there. Run `npm run purchase` first.')
  privateDir(target)
  await step('film', async () => {
    const width = 960
    const images = await Promise.all(
      frames.map(({ name }) => sharp(fileOf(name)).resize({ width }).png().toBuffer()),
    )
    await sharp(images, { join: { animated: true } })
      .webp({ quality: 80, effort: 6, loop: 0, delay: frames.map(({ ms }) => ms) })
      .toFile(join(target, 'purchase.webp'))
  })
  await step('pictures', async () => {
    for (const [name, source] of Object.entries(stills))
      await sharp(fileOf(source))
        .webp({ quality: 82, effort: 6 })
        .toFile(join(target, `${name}.webp`))
  })
})
