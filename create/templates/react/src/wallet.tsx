'use client';

import { type Catalogue, PasskeyContextProvider } from 'latchkey-react';
import { type ReactNode, useEffect, useState } from 'react';
import { appName, brand, language, missing, paintDocument, walletConfig } from './settings';
import { texts } from './texts';

/** The app's name, and the wallet for the components below, in the app's look and language. */
export function Wallet({ children }: { children: ReactNode }) {
  const kitTexts = useKitTexts();
  useEffect(paintDocument, []);
  return (
    <>
      <header>
        <img src="/icon.svg" alt="" /> {appName}
      </header>
      {missing.length > 0 ? (
        <p role="alert">{texts.notSet(missing.join(', '))}</p>
      ) : (
        <PasskeyContextProvider config={walletConfig} brand={brand} texts={kitTexts}>
          {children}
        </PasskeyContextProvider>
      )}
    </>
  );
}

/** The kit's texts. Only a German app loads the German ones. */
function useKitTexts(): Catalogue | undefined {
  const [kitTexts, setKitTexts] = useState<Catalogue>();
  useEffect(() => {
    if (language === 'de') void import('latchkey-react/german').then(({ german }) => setKitTexts(german));
  }, []);
  return kitTexts;
}
