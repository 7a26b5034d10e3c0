/** German: what is wrong with a setting or a settings file. */
import type { Texts } from '../en/index.ts'

export const deDefect: Texts['defect'] = ({ kind, detail = '' }) =>
  ({
    empty: 'Die Datei ist leer.',
    notAnObject: 'Die Datei muss ein Objekt sein, zwischen { und }.',
    commaBefore: `Vor ${detail} steht ein Komma: Entfernen Sie es.`,
    commaMissing: 'Davor fehlt ein Komma.',
    colonMissing: 'Davor fehlt ein Doppelpunkt.',
    notClosed: `Eine schließende Klammer ${detail} fehlt.`,
    textNotClosed: 'Ein schließendes Anführungszeichen fehlt.',
    afterTheEnd: 'Nach der letzten } steht noch Text.',
    comment: 'JSON kann keine Kommentare enthalten: Entfernen Sie diesen.',
    backslash: 'Schreiben Sie jeden Backslash doppelt: \\\\.',
    quotes: 'Verwenden Sie gerade doppelte Anführungszeichen: "',
    noQuotes: 'Setzen Sie Namen und Texte in Anführungszeichen, und schreiben Sie true, false und null klein.',
    utf16: 'Sie ist in UTF-16: Speichern Sie sie als UTF-8.',
    notUtf8: 'Sie ist nicht in UTF-8: Speichern Sie sie als UTF-8.',
    notAnAddress: 'Er muss eine Adresse sein, zum Beispiel https://data.example.com.',
    notHttps: 'Die Adresse muss mit https:// beginnen.',
    hasCredentials: 'Die Adresse darf weder Benutzernamen noch Passwort enthalten.',
    hasQuery: 'Die Adresse darf weder ? noch # enthalten.',
    switch: 'Er muss true oder false sein, ohne Anführungszeichen.',
    dword: 'In der Registrierung muss er ein REG_DWORD sein: 1 für ein, 0 für aus.',
    port: 'Er muss eine ganze Zahl von 1024 bis 65535 sein.',
    oneOf: `Möglich sind: ${detail}.`,
    text: 'Er muss ein Text in Anführungszeichen sein.',
    domain: 'Er darf nur eine Domain sein, zum Beispiel login.example.com.',
    object: 'Er muss ein Objekt sein, zwischen { und }.',
    files: 'Er muss eine Liste absoluter Pfade sein, zwischen [ und ].',
    certificate: 'Er muss certFile und keyFile oder pfxFile mit absoluten Pfaden nennen.',
    noCertificate: 'Die Datei enthält kein Zertifikat.',
    connectionName:
      'So kann eine Verbindung nicht heißen. Möglich sind a–z, 0–9, - und _: höchstens 32 Zeichen, das erste ein Buchstabe oder eine Ziffer.',
    meant: `Meinten Sie ${detail}?`,
  })[kind]
