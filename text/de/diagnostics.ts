import { isoDay } from '../day.ts'
import type { DiagnosticsTexts } from '../en/diagnostics.ts'
import type { Format } from '../format.ts'
import type { System } from '../system.ts'
import { deKeychain } from './keychain.ts'

const list = (names: readonly string[]): string => new Intl.ListFormat('de').format(names)

export const deDiagnostics = (format: Format, system: System): DiagnosticsTexts => {
  const keychain = deKeychain(system)
  const on = (at: number): string => isoDay(at) ?? 'unbekannt'
  const days = (count: number): string => format.plural(count, { one: 'noch ein Tag', other: `noch ${count} Tage` })
  const ends = (at: number, daysLeft: number): string =>
    daysLeft < 0 ? `abgelaufen am ${on(at)}` : `bis ${on(at)}, ${days(daysLeft)}`
  const sources = {
    policy: 'von der IT festgelegt',
    environment: 'durch eine Umgebungsvariable festgelegt',
    user: 'von Ihnen festgelegt',
  }

  return {
    head: (at) => `Latchkey-Prüfung, ${at}`,
    foot: (failed, warnings) => {
      const counted = [
        ...(failed > 0 ? [format.plural(failed, { one: 'ein Fehler', other: `${failed} Fehler` })] : []),
        ...(warnings > 0 ? [format.plural(warnings, { one: 'eine Warnung', other: `${warnings} Warnungen` })] : []),
      ]
      return counted.length === 0 ? 'Keine Probleme gefunden.' : `${counted.join(', ')}.`
    },
    log: 'Die letzten Zeilen des Protokolls:',
    noLog: 'Das Protokoll ist leer.',
    summary: {
      heading: 'Zum Vorlesen für den Support:',
      version: 'Version',
      sessions: 'Sitzungen',
      result: 'Ergebnis',
      problem: 'erstes Problem',
      advice: 'Abhilfe',
      noProblem: 'keines',
      onlyWarning: (problem: string) => `keines, aber eine Warnung: ${problem}`,
      noAdvice: 'nichts',
    },

    states: { ok: 'in Ordnung', warning: 'Warnung', failed: 'FEHLER', skipped: 'übersprungen' },
    checks: {
      versions: 'Versionen',
      sandbox: 'Sandbox',
      settings: 'Einstellungen',
      proxy: 'Proxy',
      name: 'Name',
      certificate: 'Zertifikat',
      service: 'Dienst',
      provider: 'Identitätsanbieter',
      clock: 'Uhr',
      browser: 'Browser',
      keychain: keychain.name,
      agent: 'Agent',
      gateway: 'Gateway',
      tray: 'Infobereich',
    },

    skipped: (check) => `Hängt von „${check}“ ab; diese Prüfung ist fehlgeschlagen.`,
    late: (seconds) => ({
      sentence: `Innerhalb von ${seconds} Sekunden kam keine Antwort.`,
      advice: 'Versuchen Sie es erneut. Bleibt es dabei, zeigen Sie diesen Bericht Ihrer IT.',
    }),
    broken: (cause) => ({
      sentence: `Das konnte nicht geprüft werden (${cause}).`,
      advice: 'Zeigen Sie diesen Bericht Ihrer IT.',
    }),

    versions: { app: (version) => `Latchkey ${version}` },

    sandbox: {
      good: 'Latchkey läuft mit der Sandbox von Chromium.',
      off: {
        sentence: 'Latchkey läuft ohne die Sandbox von Chromium, die diesen Computer vor bösartigen Seiten schützt.',
        advice: 'Starten Sie es unter Ihrem Konto, nicht als root, und ohne --no-sandbox.',
      },
    },

    settings: {
      policyUnusable: {
        sentence: 'Die Richtliniendatei Ihrer IT ist ungültig.',
        advice:
          'Zeigen Sie diesen Bericht Ihrer IT. Bis die Datei korrigiert ist, behält Latchkey die zuletzt gelesenen Werte, falls es welche gibt.',
      },
      good: 'Alle Einstellungen sind gültig.',
      incomplete: (connection, missing) => ({
        sentence: `Single Sign-on der Verbindung ${connection} ist nicht vollständig eingerichtet: Es ${missing.length === 1 ? 'fehlt' : 'fehlen'} ${list(missing)}.`,
        advice:
          'Ergänzen Sie das Fehlende dort, wo die anderen Werte festgelegt sind, oder zeigen Sie diesen Bericht Ihrer IT.',
      }),
      orBrowser: 'Oder setzen Sie flow auf browser: Dann genügen scope und clientId.',
      useless: (names) => ({
        sentence: `Ohne authUrl ${names.length === 1 ? 'hat' : 'haben'} ${list(names)} keine Wirkung.`,
        advice: 'Legen Sie authUrl fest, oder zeigen Sie diesen Bericht Ihrer IT.',
      }),
      nothingSet: {
        sentence: 'Latchkey kennt Ihren Dienst noch nicht.',
        advice: 'Geben Sie seine Adresse im Fenster von Latchkey ein. Sie erhalten sie von Ihrer IT.',
      },
      problems: (count) => ({
        sentence: format.plural(count, {
          one: 'Eine Einstellung ist ungültig.',
          other: `${count} Einstellungen sind ungültig.`,
        }),
        advice: 'Korrigieren Sie das, oder zeigen Sie diesen Bericht Ihrer IT.',
      }),
      noLog: (cause) => ({
        sentence: `Alle Einstellungen sind gültig, aber das Protokoll lässt sich nicht schreiben (${cause}).`,
        advice: 'Sorgen Sie dafür, dass Sie in seinen Ordner schreiben dürfen, und starten Sie Latchkey neu.',
      }),
      value: (name, value, source, where) =>
        `${name}: ${value === null ? 'nicht gesetzt' : (value ?? 'gesetzt, nicht angezeigt')} (${[sources[source], ...(where ? [where] : [])].join(': ')})`,
      variable: (name, value) => `${name}: ${value ?? 'ungültig, nicht angezeigt'} (Variable)`,
      path: (name, path, isMissing) => `${name}: ${path}${isMissing ? ' (nicht vorhanden)' : ''}`,
    },

    proxy: {
      direct: (host) => `Latchkey verbindet sich mit ${host} ohne Proxy.`,
      through: (host, proxy) => `Latchkey verbindet sich mit ${host} über den Proxy ${proxy}.`,
      order: (ways) => `Reihenfolge der Versuche: ${ways.join(', ')}`,
      basic: (host, proxy) =>
        `Latchkey verbindet sich mit ${host} über den Proxy ${proxy}, der Benutzername und Passwort verlangt. Latchkey fragt Sie einmal danach.`,
      kerberos: (host, proxy) =>
        `${host} ist über den Proxy ${proxy} erreichbar. Er verlangt Kerberos, und Sie haben ein Ticket für ihn.`,
      noTicket: (proxy, host) => ({
        sentence: `Der Proxy ${proxy} verlangt Kerberos, und Sie haben kein Ticket für ihn.`,
        advice: `Melden Sie sich mit Ihrem Firmenkonto an diesem Computer an, oder führen Sie kinit aus, und prüfen Sie dann erneut. Hilft das nicht, fragen Sie Ihre IT, ob der Proxy in Kerberos ${host} heißt.`,
      }),
      noKerberos: (proxy) => ({
        sentence: `Der Proxy ${proxy} verlangt Kerberos, und auf diesem Computer fehlt die Bibliothek dafür.`,
        advice: 'Bitten Sie Ihre IT, Kerberos hier zu installieren (in Debian und Ubuntu: libgssapi-krb5-2).',
      }),
      unsupported: (proxy, schemes, host) => ({
        sentence: `Der Proxy ${proxy} verlangt eine Anmeldemethode, die Latchkey nicht unterstützt: ${schemes}.`,
        advice: `Hier kann sich Latchkey mit einem Passwort oder mit Kerberos an einem Proxy anmelden. Bitten Sie Ihre IT, ${host} ohne Anmeldung oder mit Basic durchzulassen oder einen lokalen Proxy einzurichten, der sich für Sie anmeldet.`,
      }),
      refused: (host, proxy, status) => ({
        sentence: `Der Proxy ${proxy} hat die Verbindung mit ${host} abgelehnt (HTTP ${status}).`,
        advice: `Bitten Sie Ihre IT, ${host} am Proxy zu erlauben.`,
      }),
      unreached: (host, proxy, variable, cause) => ({
        sentence: `Der Proxy ${proxy} (aus ${variable ?? 'den Systemeinstellungen'}) antwortet nicht: ${cause}.`,
        advice: `${variable === undefined ? 'Korrigieren Sie den Proxy in den Systemeinstellungen' : `Korrigieren oder entfernen Sie die Variable ${variable}`}, oder prüfen Sie Ihr Netzwerk oder VPN. Latchkey nutzt ihn für ${host}.`,
      }),
    },

    name: {
      found: (host, addresses) => `${host} wird zu ${addresses.join(', ')} aufgelöst.`,
      isAddress: (host) => `${host} ist eine IP-Adresse und braucht kein DNS.`,
      leftToProxy: (host) => `Der Proxy löst den Namen ${host} auf.`,
      notFound: (host, cause) => ({
        sentence: `Der Name ${host} kann nicht aufgelöst werden: ${cause}.`,
        advice: 'Prüfen Sie die Schreibweise und Ihr Netzwerk oder VPN: Viele Namen sind nur im Firmennetz bekannt.',
      }),
    },

    certificate: {
      good: (host, { validTo }, daysLeft) =>
        `Das Zertifikat von ${host} ist vertrauenswürdig (${ends(validTo, daysLeft)}).`,
      endsSoon: (host, { subject, validTo }, daysLeft) => ({
        sentence: `Das Zertifikat von ${host} ist vertrauenswürdig, läuft aber bald ab: ${subject} (${ends(validTo, daysLeft)}).`,
        advice: 'Bitten Sie Ihre IT, es zu erneuern.',
      }),
      notNeeded: (host) => `${host} ist auf diesem Computer und braucht kein Zertifikat.`,
      untrusted: (host, { kind, failing, cause, names }) => ({
        sentence: [
          `Das Zertifikat von ${host} ist nicht vertrauenswürdig: ${cause}.`,
          ...(failing === undefined
            ? []
            : [`Das betroffene Zertifikat gehört zu ${failing.subject} und wurde von ${failing.issuer} ausgestellt.`]),
          ...(kind === 'otherHost' && names !== undefined ? [`Es gilt für ${names}.`] : []),
        ].join(' '),
        advice: {
          ended:
            'Bitten Sie die Betreiber des Dienstes, es zu erneuern. Ist es in Wirklichkeit nicht abgelaufen, stellen Sie die Uhr dieses Computers.',
          early: 'Stellen Sie die Uhr dieses Computers.',
          otherHost: 'Prüfen Sie die Adresse des Dienstes.',
          unknownIssuer:
            'Hat Ihre Firma eine eigene Zertifizierungsstelle, bitten Sie Ihre IT, sie im System oder in den Einstellungen von Latchkey einzutragen.',
          other: 'Zeigen Sie diesen Bericht Ihrer IT.',
        }[kind],
      }),
      unreached: (host, cause) => ({
        sentence: `Eine verschlüsselte Verbindung zu ${host} ließ sich nicht herstellen: ${cause}.`,
        advice: 'Prüfen Sie Ihr Netzwerk, VPN oder Ihren Proxy und die Adresse.',
      }),
      link: (index, { subject, issuer, validFrom, validTo }, daysLeft) =>
        `${index}: ${subject}; ausgestellt von ${issuer}; gültig ab ${on(validFrom)}, ${ends(validTo, daysLeft)}`,
    },

    browser: {
      good: (host) => `Die Anmeldung im Browser öffnet eine Seite von ${host}.`,
      waiting: (host) => `Latchkey wartet, bis Sie sich im Browser auf einer Seite von ${host} angemeldet haben.`,
      notFound: (host, cause) => ({
        sentence: `Die Anmeldeseite von ${host} lässt sich nicht finden: ${cause}.`,
        advice: 'Prüfen Sie mit Ihrer IT die Adresse des Anbieters und die Einstellungen des Clients.',
      }),
      refused: (host, cause) => ({
        sentence: `${host} nimmt die Einstellungen von Latchkey nicht an: ${cause}.`,
        advice: 'Vergleichen Sie Client-ID, Client-Secret, Scope und Audience mit der Registrierung des Clients dort.',
      }),
      errorPage: (host, status, redirect) => ({
        sentence: `${host} beantwortet eine Anmeldung mit einem Fehler (HTTP ${status}).`,
        advice: `Prüfen Sie die Client-ID und ob diese Weiterleitungsadresse (zeigt sie keinen Port: mit jedem) dort registriert ist: ${redirect}`,
      }),
      guessed: (host) => ({
        sentence: `${host} hat unter dieser Adresse keine OpenID-Konfiguration. Latchkey rät daher, wo die Anmeldeseite ist.`,
        advice:
          'Prüfen Sie die Adresse des Anbieters (authUrl): Ohne Konfiguration funktionieren nur /authorize und /oauth/token darunter. Beim Abmelden lässt sich das Refresh-Token dort nicht widerrufen.',
      }),
      noRefresh: (host, cause) => ({
        sentence: `${host} lässt wohl niemanden angemeldet bleiben: Es bietet diesem Client keine Refresh-Token an (${cause}).`,
        advice:
          'Erlauben Sie dem Client dort Refresh-Token. Sonst müssen sich alle neu anmelden, sobald ihr Zugriffstoken abläuft.',
      }),
      portTaken: (cause) => ({
        sentence: `Die Anmeldung im Browser kann ihren Port nicht verwenden (${cause}).`,
        advice:
          'Schließen Sie das Programm, das den Port belegt, oder bitten Sie Ihre IT um einen anderen redirectPort.',
      }),
    },

    service: {
      good: (host, status) => `${host} antwortet (HTTP ${status}).`,
      unreached: (host, cause) => ({
        sentence: `${host} ist nicht erreichbar: ${cause}.`,
        advice: 'Prüfen Sie Ihr Netzwerk, VPN oder Ihren Proxy und die Adresse.',
      }),
      closed: (host, cause) => ({
        sentence: `${host} ist nicht erreichbar: ${cause}.`,
        advice:
          'Unter dieser Adresse und diesem Port antwortet nichts. Prüfen Sie die Schreibweise, und fragen Sie dann nach, ob der Dienst läuft.',
      }),
      unencrypted: (host, cause) => ({
        sentence: `${host} hat unverschlüsselt geantwortet: ${cause}.`,
        advice: 'Prüfen Sie den Port. Läuft der Dienst auf diesem Computer, beginnen Sie die Adresse mit http://.',
      }),
      ill: (host, status) => ({
        sentence: `${host} antwortet mit einem Fehler (HTTP ${status}).`,
        advice: 'Versuchen Sie es später erneut. Bleibt es dabei, informieren Sie die Betreiber des Dienstes.',
      }),
      redirects: (host, status) => ({
        sentence: `${host} leitet um (HTTP ${status}); Latchkey folgt keinen Umleitungen.`,
        advice:
          'Prüfen Sie die Adresse des Dienstes: Vielleicht fehlt ihr der Pfad, oder die Anmeldeseite eines Netzwerks ist im Weg.',
      }),
      page: (host) => ({
        sentence: `Statt ${host} hat eine Webseite geantwortet.`,
        advice:
          'Prüfen Sie die Adresse des Dienstes. Hat das Netz eine Anmeldeseite, öffnen Sie einen Browser und melden Sie sich dort an; hinter einem Firmenproxy wenden Sie sich an Ihre IT.',
      }),
      notThere: (host) => ({
        sentence: `${host} antwortet, aber unter dieser Adresse gibt es keine Anmeldung (HTTP 404).`,
        advice: 'Prüfen Sie die Adresse des Dienstes: Vielleicht fehlt ihr der Pfad.',
      }),
      tooMany: (host) => ({
        sentence: `${host} begrenzt derzeit die Anfragen (HTTP 429).`,
        advice: 'Warten Sie ein paar Minuten.',
      }),
      unasked: (host, status) => ({
        sentence: `${host} hat eine Anmeldung ohne Zugangsdaten angenommen (HTTP ${status}).`,
        advice: 'Prüfen Sie die Adresse des Dienstes: Ihr Dienst würde das ablehnen.',
      }),
    },

    clock: {
      good: (host) => `Die Uhr dieses Computers stimmt mit der von ${host} überein.`,
      unknown: (host) => ({
        sentence: `${host} hat keine Uhrzeit gesendet.`,
        advice: 'Vergleichen Sie die Uhr dieses Computers mit einer anderen.',
      }),
      wrong: (by, isAhead, host) => ({
        sentence: `Die Uhr dieses Computers geht gegenüber der von ${host} ${format.span(by)} ${isAhead ? 'vor' : 'nach'}.`,
        advice: 'Lassen Sie das System die Uhrzeit automatisch einstellen.',
      }),
    },

    keychain: {
      works: `Latchkey kann ${keychain.inIhrem} einen Eintrag speichern, lesen und löschen.`,
      otherEntry: (name) =>
        `Der Eintrag „${name}“ gehört zu einem anderen Computer oder zu diesem, bevor sich seine Kennung geändert hat oder der Ordner der Einstellungen verschoben wurde. Wenn kein Latchkey den Eintrag mehr verwendet, löschen Sie ihn.`,
      locked: {
        sentence: `${keychain.Ihr} ist gesperrt.`,
        advice: system === 'windows' ? keychain.unlock : `Entsperren Sie ${keychain.ihn} und prüfen Sie erneut.`,
      },
      uncreated: {
        sentence: 'Es gibt noch keinen Standard-Schlüsselbund.',
        advice:
          'Wenn Sie sich bei Latchkey anmelden, bittet der Desktop Sie, einen anzulegen. Andernfalls legen Sie in seiner App für Passwörter und Schlüssel einen an, und machen Sie ihn zum Standard.',
      },
      failing: (cause) => ({
        sentence: `${keychain.Ihr} meldet einen Fehler: ${cause}.`,
        advice:
          'Melden Sie sich vom Computer ab und wieder an. Solange der Fehler besteht, endet Ihre Sitzung, wenn Sie Latchkey beenden.',
      }),
      absent: (cause) => ({
        sentence: `${keychain.none}: ${cause}.`,
        advice:
          'Installieren und starten Sie einen, der den Secret Service bereitstellt, etwa GNOME Keyring oder KWallet. Ohne ihn endet Ihre Sitzung, wenn Sie Latchkey beenden.',
      }),
    },

    agent: {
      offBy: (source) => `Ausgeschaltet, ${sources[source]}: Programme bekommen kein Zugriffstoken.`,
      off: 'Ausgeschaltet unter Einstellungen → Dieser Computer: Programme bekommen kein Zugriffstoken.',
      good: (socket) => `Der Agent läuft unter ${socket}; nur Sie können ihn verwenden.`,
      pipe: (file) => `Die Pipe des Agenten steht in ${file}.`,
      notServing: (path) => ({
        sentence: `Unter ${path} läuft kein Agent.`,
        advice: 'Starten Sie Latchkey, falls es nicht läuft.',
      }),
      foreign: (path) => ({
        sentence: `${path} gehört einem anderen Benutzer.`,
        advice: 'Bitten Sie Ihre IT, es zu entfernen, oder setzen Sie LATCHKEY_SOCKET auf einen anderen Pfad.',
      }),
      open: (path, mode) => ({
        sentence: `Andere Benutzer können ${path} verwenden (Modus ${mode}).`,
        advice:
          'Beenden Sie Latchkey, entziehen Sie anderen die Rechte (0700 für den Ordner, 0600 für den Socket) und starten Sie es neu.',
      }),
      visible: (path, mode) => ({
        sentence: `Der Agent läuft, aber andere Benutzer können seinen Ordner ${path} auflisten (Modus ${mode}).`,
        advice: 'Setzen Sie den Modus des Ordners auf 0700.',
      }),
      notASocket: (path) => ({
        sentence: `${path} ist kein Socket.`,
        advice: 'Verschieben Sie es, oder setzen Sie LATCHKEY_SOCKET auf einen anderen Pfad.',
      }),
      pathTooLong: (path) => ({
        sentence: `Der Pfad des Agenten ist zu lang für einen Socket: ${path}.`,
        advice: 'Setzen Sie LATCHKEY_SOCKET auf einen Pfad von höchstens 103 Bytes.',
      }),
      pathNotAbsolute: {
        sentence: 'LATCHKEY_SOCKET ist kein absoluter Pfad.',
        advice: 'Setzen Sie die Variable auf einen absoluten Pfad.',
      },
    },

    gateway: {
      good: (address) => `Programme erreichen das Gateway unter ${address}.`,
      notRunning: (address) => ({
        sentence: `Das Gateway läuft nicht unter ${address}.`,
        advice: 'Starten Sie Latchkey, falls es nicht läuft.',
      }),
      portTaken: (port) => ({
        sentence: `Ein anderes Programm belegt den Port des Gateways, ${port}.`,
        advice:
          'Schließen Sie dieses Programm, oder wählen Sie in Latchkey einen anderen Gateway-Port. Wenn Sie das Programm nicht kennen, erzeugen Sie ein neues Gateway-Passwort: Ihre Programme haben ihm vielleicht das alte gesendet.',
      }),
      noPassword: (address) => ({
        sentence: `Das Gateway unter ${address} hat noch kein Passwort und weist deshalb alle Programme ab.`,
        advice: 'Führen Sie latchkey gateway --new-password aus, und geben Sie das Passwort in Ihrem Programm ein.',
      }),
      proxied: (address, proxy) => ({
        sentence: `Programme senden Anfragen an ${address} über einen Proxy (${proxy}).`,
        advice: 'Nehmen Sie 127.0.0.1 in NO_PROXY oder in die Ausnahmen des System-Proxys auf.',
      }),
    },

    tray: {
      present: 'Der Desktop zeigt Symbole im Infobereich.',
      absent: {
        sentence: 'Der Desktop hat keinen Infobereich.',
        advice:
          'Latchkey funktioniert auch ohne. Für ein Symbol schalten Sie in Ihrem Desktop die Erweiterung für AppIndicator ein.',
      },
      unknown: {
        sentence: 'Der Desktop sagt nicht, ob er einen Infobereich hat.',
        advice: 'Wenn Sie das Symbol von Latchkey sehen, ist alles in Ordnung.',
      },
    },
  }
}
