/*
 * Stands for Turnstile's api.js: renders a widget, which is a page of its own in a frame, and calls
 * back. It has the calls and the options that the shop uses.
 */
const base = new URL('./', document.currentScript.src)

window.turnstile = {
  render(place, options) {
    const { sitekey, action, cData, language, size } = options
    const terms = new URLSearchParams({ sitekey, action, cData, language, size, hostname: location.hostname })
    const frame = document.createElement('iframe')
    frame.src = `${new URL('widget', base)}?${terms}`
    frame.title = 'Widget containing a security challenge'
    frame.style.border = '0'
    frame.style.display = 'block'
    frame.style.width = size === 'compact' ? '150px' : '100%'
    frame.style.height = size === 'compact' ? '140px' : '65px'
    window.addEventListener('message', ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== base.origin) return
      options[data.call]?.(data.value)
    })
    place.append(frame)
    return 'widget'
  },
}
