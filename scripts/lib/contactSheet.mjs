import { folderOf, views } from './drawStories.mjs'

const style = `
  body { margin: 0; padding: 24px; width: 2936px; background: #777b80; color: #fff; font: 14px/1.3 system-ui, sans-serif }
  main { display: flex; flex-wrap: wrap; gap: 20px 24px; align-items: start }
  h2 { margin: 0 0 6px; font-size: 20px }
  section { display: flex; flex-wrap: wrap; gap: 10px 24px; align-items: start }
  figure { margin: 0; width: 880px }
  figcaption { margin-bottom: 4px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
  div { display: flex; gap: 4px; align-items: start }
  img { display: block; max-height: 260px; object-fit: cover; object-position: top }
  td, th { padding: 2px 4px; text-align: left; font-weight: 400 }
  td img { max-width: 340px; max-height: 90px; object-fit: contain }
`

const escapeHtml = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Small enough for three stories in a row, large enough to see what is wrong. */
const thumbnailWidth = (/** @type {number} */ width) => (width < 500 ? 100 : width < 1000 ? 130 : 200)

/** @param {import('./drawStories.mjs').Story} story */
const figure = ({ id, name }) =>
  `<figure><figcaption>${escapeHtml(name)}</figcaption><div>${views
    .map((view) => {
      const picture = `${folderOf(view)}/${id}.png`
      return `<a href="${picture}"><img src="${picture}" width="${thumbnailWidth(view.width)}" alt="${folderOf(view)}"></a>`
    })
    .join('')}</div></figure>`

/**
 * One row for each control, one column for each of its states.
 * @param {readonly string[]} files such as `next--home-3.dark-hover.png`
 */
const writeControls = (files) => {
  const parts = files.map((file) => file.replace(/\.png$/, '').split('.'))
  const [rows, columns] = [0, 1].map((at) => [...new Set(parts.map((part) => part[at] ?? ''))])
  const cell = (/** @type {string} */ file) =>
    files.includes(file) ? `<td><img src="controls/${file}" alt="${file}"></td>` : '<td></td>'
  return `<article><h2>Controls</h2><table><tr><th></th>${columns
    ?.map((column) => `<th>${column}</th>`)
    .join('')}</tr>${rows
    ?.map(
      (row) => `<tr><th>${row}</th>${columns?.map((column) => cell(`${row}.${column}.png`)).join('')}</tr>`,
    )
    .join('')}</table></article>`
}

/**
 * Writes a page of thumbnails, labelled, below the title of their stories; each leads to its picture.
 * @param {readonly import('./drawStories.mjs').Story[]} stories
 * @param {readonly string[]} [controls] the pictures of controls in their states
 */
export const writeContactSheet = (stories, controls = []) => {
  const titles = [...new Set(stories.map(({ title }) => title))]
  const groups = titles.map(
    (title) =>
      `<article><h2>${escapeHtml(title)}</h2><section>${stories
        .filter((story) => story.title === title)
        .map(figure)
        .join('')}</section></article>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every story</title><style>${style}</style><main>${groups.join('')}${controls.length > 0 ? writeControls(controls) : ''}</main></html>`
}
