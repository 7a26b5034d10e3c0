import { describe, expect, test } from 'vitest'
import { loadDiagnosticsTexts } from './diagnostics.ts'
import type { DiagnosticsTexts } from './en/diagnostics.ts'
import { LANGUAGES, loadTexts } from './index.ts'

const diagnosticsTexts = async (language: string) => loadDiagnosticsTexts(await loadTexts(language))
const OTHERS = LANGUAGES.filter((language) => language !== 'en')

const certificate = { subject: 'CN=data', issuer: 'CN=issuer', validFrom: 0, validTo: Date.UTC(2026, 0, 1) }
const KINDS = ['ended', 'early', 'otherHost', 'unknownIssuer', 'other'] as const

/** The sentences of the checks, with example values filled in, by name. */
function sayings(texts: DiagnosticsTexts): ReadonlyMap<string, string | { sentence: string; advice: string }> {
  const { settings, proxy, name, certificate: cert, service, browser, clock, keychain, agent, tray } = texts
  const said = {
    late: texts.late(5),
    broken: texts.broken('EPERM'),
    settings: [settings.good, settings.nothingSet, settings.problems(1), settings.problems(2)],
    values: [settings.value('clientSecret', undefined, 'user'), settings.value('realm', 'r', 'policy')],
    variables: [settings.variable('HTTPS_PROXY', undefined)],
    proxy: [
      proxy.direct('host'),
      proxy.through('host', 'p:1'),
      proxy.basic('host', 'p:1'),
      proxy.unsupported('p:1', 'NTLM', 'host'),
      proxy.refused('host', 'p:1', 403),
      proxy.unreached('host', 'p:1', 'ECONNREFUSED'),
    ],
    name: [name.found('host', ['192.0.2.1']), name.isAddress('::1'), name.leftToProxy('host'), name.notFound('h', 'c')],
    certificate: [
      cert.good('host', certificate, 30),
      cert.endsSoon('host', certificate, 1),
      cert.notNeeded('host'),
      cert.unreached('host', 'cause'),
      cert.link(0, certificate, -1),
      ...KINDS.map((kind) => cert.untrusted('host', { kind, failing: certificate, cause: 'cause', names: 'other' })),
    ],
    service: [
      service.good('host', 401),
      service.unreached('host', 'cause'),
      service.ill('host', 500),
      service.redirects('host', 302),
      service.page('host'),
      service.notThere('host'),
      service.tooMany('host'),
      service.unasked('host', 200),
    ],
    browser: [
      browser.good('host'),
      browser.waiting('host'),
      browser.notFound('host', 'cause'),
      browser.portTaken('cause'),
    ],
    clock: [clock.good('host'), clock.unknown('host'), clock.wrong(61 * 60_000, true, 'host')],
    keychain: [keychain.works, keychain.locked, keychain.uncreated, keychain.failing('c'), keychain.absent('c')],
    agent: [
      agent.off,
      agent.good('/s'),
      agent.pipe('/f'),
      agent.notServing('/s'),
      agent.foreign('/s'),
      agent.open('/s', '0777'),
      agent.visible('/s', '0755'),
      agent.notASocket('/s'),
      agent.pathTooLong('/s'),
      agent.pathNotAbsolute,
    ],
    tray: [tray.present, tray.absent, tray.unknown],
  }
  const flat = Object.entries(said).flatMap(([key, each]) =>
    [each].flat().map((one, at) => [`${key} ${at}`, one] as const),
  )
  return new Map(flat)
}

describe.each(OTHERS)('the texts of the checks in %s', (language) => {
  test('none is missing, and none is in English', async () => {
    const english = sayings(await diagnosticsTexts('en'))
    const own = sayings(await diagnosticsTexts(language))
    expect([...own.keys()]).toEqual([...english.keys()])
    for (const [key, said] of own) {
      const [one, other] = [said, english.get(key)].map((each) =>
        typeof each === 'string' ? { sentence: each } : each,
      )
      expect(one?.sentence, key).not.toBe(other?.sentence)
      if (one !== undefined && 'advice' in one) expect(one.advice, key).not.toBe((other as typeof one).advice)
    }
  })

  test('results and advice are whole sentences', async () => {
    for (const [key, said] of sayings(await diagnosticsTexts(language))) {
      if (typeof said === 'string') continue
      for (const sentence of Object.values(said)) expect(sentence, key).toMatch(/^\S.*\.$/u)
    }
  })
})

test.each([
  ['en', '61 minutes ahead of host’s'],
  ['de', '61 Minuten vor'],
  ['fr', 'avance de 61 minutes'],
  ['es', '61 minutos por delante'],
])('the text for a clock that is ahead says by how much (%s)', async (language, words) => {
  const { clock } = await diagnosticsTexts(language)
  expect(clock.wrong(61 * 60_000, true, 'host').sentence).toContain(words)
})

test('a French text can’t wrap before a punctuation mark', async () => {
  for (const said of sayings(await diagnosticsTexts('fr')).values()) {
    expect(typeof said === 'string' ? said : Object.values(said).join('\n')).not.toMatch(/ [:;?!»]/)
  }
})

test('a language without a translation gets English', async () => {
  expect((await diagnosticsTexts('it-IT')).foot(0, 0)).toBe('No problems found.')
})
