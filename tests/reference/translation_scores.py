"""Writes tests/web/fixtures/translation_scores.json: BLEU and chrF by sacreBLEU for small sets of sentences.

    pip install sacrebleu
    python tests/reference/translation_scores.py
"""

import json
from pathlib import Path

import sacrebleu

SETS = {
    "verses": (
        ["Y dijo Dios: Sea la luz; y fue la luz.", "El que tiene oído, oiga.", "Y llamó Dios a la luz Día."],
        ["Y dijo Dios: Sea la luz: y fue la luz.", "El que tiene oídos para oír, oiga.", "Y llamó Dios a la luz Día, y a las tinieblas llamó Noche."],
    ),
    "equal": (["Jehová es mi pastor; nada me faltará."], ["Jehová es mi pastor; nada me faltará."]),
    "numbers and signs": (
        ["It cost 1,234.50 (or 3-4 times that), said A.&B.; \"no\", 5. and .5!", "a/b {c} <d> don't"],
        ["It cost 1,234.50, or 3-4 times as much, said A&amp;B: &quot;no&quot;, 5 and .5!", "a / b {c} d don't"],
    ),
    "no fourth order": (["the cat sat here", "on a mat"], ["the cat was here", "on the mat"]),
    "only words": (["red blue green white"], ["white green blue red"]),
    "too short": (["a b c"], ["a b c"]),
    "nothing right": (["x y z w v"], ["a b c d e"]),
    "empty beside one": (["", "uno dos tres cuatro cinco"], ["algo que falta", "uno dos tres cuatro cinco"]),
    "empty reference": (["algo que sobra", "uno dos tres cuatro cinco"], ["", "uno dos tres cuatro cinco"]),
    "longer": (["y y y y la la tierra", "ocho  palabras\tcon espacios raros entre   ellas aquí"], ["y la tierra", "ocho palabras con espacios raros entre ellas"]),
    "beyond the plane": (["luz 💡 y sombra"], ["luz 💡💡 y sombras"]),
}


def main() -> None:
    sets = []
    for name, (hypotheses, references) in SETS.items():
        bleu = sacrebleu.corpus_bleu(hypotheses, [references])
        chrf = sacrebleu.corpus_chrf(hypotheses, [references])
        sets.append({"name": name, "hypotheses": hypotheses, "references": references, "bleu": bleu.score, "chrF": chrf.score})
    data = {
        "provenance": f"sacrebleu {sacrebleu.__version__}, corpus_bleu and corpus_chrf with defaults; tests/reference/translation_scores.py",
        "sets": sets,
    }
    path = Path(__file__).parents[1] / "web" / "fixtures" / "translation_scores.json"
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
