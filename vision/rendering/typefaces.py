"""Typefaces of rendered numbers: font files, every one in a Debian package of a free licence."""

from __future__ import annotations

from typing import Final

# As different as tile makers' numbers are.
USUAL: Final = (
    "LiberationSans-Bold.ttf", "NimbusSans-Bold.otf", "FreeSansBold.ttf", "Roboto-Bold.ttf",
    "Roboto-Black.ttf", "RobotoCondensed-Bold.ttf", "RobotoCondensed-Medium.ttf",
    "LiberationSansNarrow-Bold.ttf", "OpenSans-Bold.ttf", "OpenSans-Semibold.ttf",
    "OpenSans-CondBold.ttf", "Lato-Bold.ttf", "Lato-Black.ttf", "Lato-Semibold.ttf",
    "Cantarell-Bold.otf", "Cantarell-ExtraBold.otf", "Comfortaa-Bold.ttf", "Comfortaa-Regular.ttf",
    "Quicksand-Bold.ttf", "Quicksand-Medium.ttf", "Dosis-Bold.otf", "Dosis-SemiBold.otf",
    "Dosis-Medium.otf", "Jura-Bold.otf", "Jura-Medium.otf", "LeagueSpartan-Bold.otf",
    "LeagueSpartan-SemiBold.otf", "RobotoSlab-Bold.otf", "RobotoSlab-Regular.otf",
    "RobotoSlab-Light.otf", "DejaVuSans-Bold.ttf", "DejaVuSans.ttf",
    "DejaVuSansCondensed-Bold.ttf", "DejaVuSerif-Bold.ttf", "NotoSans-Bold.ttf",
    "NotoSans-Medium.ttf", "NotoSerif-Bold.ttf", "URWGothic-Demi.otf", "URWGothic-Book.otf",
    "URWBookman-Demi.otf", "C059-Bold.otf", "NimbusRoman-Bold.otf", "P052-Bold.otf",
    "FreeSerifBold.ttf", "LiberationSans-Regular.ttf", "Roboto-Medium.ttf", "Lato-Medium.ttf",
    "OpenSans-ExtraBold.ttf", "BetecknaGS-Bold.ttf", "BetecknaGSCondensed-Bold.ttf",
    "BetecknaGS.ttf", "Cabin-Bold.otf", "Cabin-Medium.otf", "Carlito-Bold.ttf",
    "Carlito-Regular.ttf", "Inter-Bold.otf", "Inter-Medium.otf", "InterDisplay-Black.otf",
    "Karla-Bold.otf", "Karla-Regular.otf", "Manrope-Bold.ttf", "Manrope-Medium.ttf",
    "Manrope-Light.ttf", "millimetreA 01.otf", "millimetreA Bold 01.otf", "Mplus1-Bold.otf",
    "Mplus1-Medium.otf", "Mplus2-Black.otf", "okolaksBold.ttf", "okolaksRegular.ttf",
    "Play-Bold.otf", "Play-Regular.otf", "AveriaSansGWF-Bold.ttf", "AveriaSansGWF-Regular.ttf",
    "ComicNeue-Bold.otf", "ComicNeue-Regular.otf", "ClearSans-Bold.ttf", "ClearSans-Medium.ttf",
    "Apropal-Bold.otf", "LeagueMono-CondensedBold.otf", "LeagueMono-CondensedMedium.otf",
    "Comfortaa-Light.ttf", "Dosis-Book.otf", "Dosis-Light.otf", "Jura-Regular.otf",
    "Jura-Light.otf", "Cantarell-Light.otf", "Lato-Light.ttf", "Quicksand-Light.ttf",
    "Karla-Light.otf", "InterDisplay-Light.otf", "ClearSans-Light.ttf", "LeagueSpartan-Light.otf",
)  # fmt: skip

# Rounder, thinner, narrower and odder ones, of screens, signs and brushes.
FURTHER: Final = (
    "AccanthisADFStd-Bold.otf", "AerialBd.ttf", "agave-b-autohinted.ttf", "allerta_medium.otf",
    "Anonymous Pro B.ttf", "Anonymous Pro.ttf", "BIZUDGothic-Bold.ttf", "BIZUDGothic-Regular.ttf",
    "BMDOHYEON_ttf.ttf", "BMEULJIROTTF.ttf", "BMKIRANGHAERANG-TTF.ttf", "BMYEONSUNG_ttf.ttf",
    "Blankenburg_UNZ1A.ttf", "cmunbbx.ttf", "cmunrb.ttf", "cmuntb.ttf", "cmunvt.ttf",
    "Caladea-Bold.ttf", "Caliban.ttf", "Courier Prime Bold.otf", "Courier Prime Sans.otf",
    "Daniel.ttf", "ECO.ttf", "Engadget.ttf", "FiraCode-Bold.ttf", "FiraCode-Light.ttf",
    "GFSArtemisia.otf", "GFSNeohellenicBold.otf", "GFSNeohellenic.otf", "GWMonospaceBold.ttf",
    "Gayathri-Bold.otf", "GemunuLibre-ExtraBold.otf", "GemunuLibre-ExtraLight.otf",
    "Hack-Bold.ttf", "HarSinai.ttf", "Hermit-bold.otf", "Hermit-light.otf", "3270-Regular.ttf",
    "3270Condensed-Regular.ttf", "IrianisADFStyleStd-Bold.otf", "IrianisADFStyleStd-Regular.otf",
    "JetBrainsMono-ExtraBold.ttf", "JetBrainsMono-Thin.ttf", "Karmilla-Bold.ttf",
    "Karmilla-Regular.ttf", "LXGWWenKai-Bold.ttf", "LXGWWenKaiMono-Bold.ttf",
    "LXGWWenKaiMono-Light.ttf", "le-murmure.otf", "LeckerliOne-Regular.ttf", "Lemonada-Bold.otf",
    "LiberationSerif-Bold.ttf", "LibrisADFStd-Bold.otf", "LibrisADFStd-Regular.otf",
    "LinBiolinum_RB.otf", "LinLibertine_RB.otf", "LobsterTwo-Bold.otf", "Loma-Bold.otf",
    "Loma.otf", "migmix-1m-bold.ttf", "migmix-1p-bold.ttf", "migmix-2p-regular.ttf", "mona.ttf",
    "Monoid-Bold.ttf", "MTLmr3m.ttf", "NanumPen.ttf", "NanumBarunGothicBold.ttf",
    "NanumBarunpenB.ttf", "NanumBarunpenR.ttf", "NanumGothicLight.ttf",
    "NanumGothicCodingBold.ttf", "NanumMyeongjoExtraBold.ttf",
    "NotoSansDisplay-CondensedBlack.ttf", "NotoSansDisplay-SemiCondensedThin.ttf",
    "NotoSerifDisplay-ExtraCondensedBlack.ttf", "OCRB.otf", "OCRABold.ttf",
    "OpenDyslexic-Regular.otf", "Oxygen-Sans-Bold.ttf", "Oxygen-Sans.ttf", "PTM75F.ttf",
    "PTS75F.ttf", "PTC75F.ttf", "PTN77F.ttf", "PTN57F.ttf", "PTF75F.ttf", "PatchSans.otf",
    "RadisSans-medium.otf", "ReggaeOne-Regular.ttf", "RocknRollOne-Regular.ttf",
    "sawarabi-gothic-medium.ttf", "setofont.ttf", "Stick-Regular.ttf", "SwitzeraADF-ExtraBold.otf",
    "SwitzeraADF-Light.otf", "TomsonTalks.ttf", "TribunADFStd-ExtraBold.otf", "tuffy_bold.ttf",
    "tuffy_regular.ttf", "TymesBd.ttf", "Ubuntu-Title.ttf", "Umpush-Bold.otf",
    "UniversalisADFStd-BoldCond.otf", "UniversalisADFStd-Regular.otf", "VL-Gothic-Regular.ttf",
    "VeranaSansMedium-Regular.otf", "VerandaBd.ttf", "YamSuf.ttf", "mononoki-Bold.ttf",
    "mononoki-Regular.ttf", "osifont.ttf", "ArundinaSerif-Bold.ttf",
)  # fmt: skip

# Of families that are in no training: what a reader makes of numbers that it has never met.
UNMET: Final = (
    "BMHANNAPro.ttf", "BMJUA_ttf.ttf", "Sawasdee-Bold.otf", "Sawasdee.otf",
    "NationalPark-Heavy.otf", "routed-gothic.ttf", "eurof55.ttf", "YanoneKaffeesatz-Bold.otf",
    "tiresias_signfont_bold.ttf", "GilliusADFNo2-Bold.otf", "IkariusADFStd-Bold.otf",
    "Humor-Sans.ttf", "NanumSquareRoundEB.ttf", "KleeOne-SemiBold.ttf", "B612-Bold.otf",
    "Uroob-Regular.ttf", "BebasNeue-Bold.otf", "OSP-DIN.ttf", "Andika-Bold.ttf",
    "Sora-ExtraBold.otf", "Manjari-Bold.otf", "MekanusADFStd-Bold.otf",
    "FantasqueSansMono-Bold.otf", "CherryBomb-Regular.otf", "YuseiMagic-Regular.ttf",
    "UnDinaruBold.ttf", "Go-Bold.ttf", "cmunss.ttf",
)  # fmt: skip

TRAINED: Final = (*USUAL, *FURTHER)
