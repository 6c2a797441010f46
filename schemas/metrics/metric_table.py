"""The table of metrics: names, kind, direction, scales and sources of each.

To add a metric, add its names to an entry that is true of it, or add an entry. Names
are normalized (``metrics.normalized``). Where sources disagree on the direction, a name is in no
entry, or only as that of a program; where they disagree on the scale, an entry has all of them.
"""

from __future__ import annotations

from math import inf

from evalmark.schemas.metrics.metric_entry import KnownMetric as Metric
from evalmark.schemas.metrics.metric_entry import Scale

_LM_EVAL, _HELM, _INSPECT = "lm-evaluation-harness", "helm", "inspect_ai"
_LIGHTEVAL, _MTEB = "lighteval", "mteb"
_HARNESSES = (_LM_EVAL, _HELM, _INSPECT, _LIGHTEVAL, _MTEB)

# Scales.
#: Shares: these programs write 0.5, and others may write 50.
_SHARE = (Scale(0, 1, "proportion", _HARNESSES), Scale(0, 100, "percent"))
#: Shares that nobody writes otherwise.
_PROPORTION = (Scale(0, 1, "proportion"),)
_SIGNED = (Scale(-1, 1, "", _HARNESSES), Scale(-100, 100, "percent"))
_POSITIVE = (Scale(0, inf),)
_FROM_ONE = (Scale(1, inf),)
_NEGATIVE = (Scale(-inf, 0),)
#: Of error rates above 1: the bounds are the same as shares and in percent.
_RATE = (Scale(0, inf, "proportion", (_HELM,)), Scale(0, inf, "percent"))
_SACREBLEU_RATE = (Scale(0, inf, "percent", (_LM_EVAL, _LIGHTEVAL)), Scale(0, inf, "proportion"))
_SACREBLEU = (
    Scale(0, 100, "percent", (_LM_EVAL, _LIGHTEVAL)),
    Scale(0, 1, "proportion", (_HELM, _INSPECT)),
)

# Sources.
_GITHUB = "https://github.com"
_OF_LM_EVAL = f"{_GITHUB}/EleutherAI/lm-evaluation-harness/blob/main/lm_eval/api/metrics.py"
_OF_LM_EVAL_TASKS = f"{_GITHUB}/EleutherAI/lm-evaluation-harness/tree/main/lm_eval/tasks"
_STATIC = f"{_GITHUB}/stanford-crfm/helm/blob/main/src/helm/benchmark/static"
_OF_HELM = f"{_STATIC}/schema_classic.yaml"
_OF_HELM_CAPABILITIES = f"{_STATIC}/schema_capabilities.yaml"
_OF_LIGHTEVAL = f"{_GITHUB}/huggingface/lighteval/blob/main/src/lighteval/metrics/metrics.py"
_OF_INSPECT = "https://inspect.aisi.org.uk/scorers.html"
_OF_MTEB = "https://arxiv.org/abs/2210.07316"
_OF_SBERT = "https://sbert.net/docs/package_reference/sentence_transformer/evaluation.html"
_OF_SKLEARN = "https://scikit-learn.org/stable/modules/model_evaluation.html"
_OF_SACREBLEU = f"{_GITHUB}/mjpost/sacrebleu"
_OF_TORCHMETRICS = "https://lightning.ai/docs/torchmetrics/stable/all-metrics.html"
_SPACES = "https://huggingface.co/spaces/evaluate-metric"
_MEASUREMENTS = "https://huggingface.co/spaces/evaluate-measurement"

#: How texts are compared: sentence-transformers puts it on either side, MTEB in front.
_SIMILARITIES = ("cos_sim", "cosine", "dot", "euclidean", "manhattan", "max", "similarity")


def _by_similarity(*metrics: str) -> tuple[str, ...]:
    before = tuple(f"{kind}_{metric}" for metric in metrics for kind in _SIMILARITIES)
    return before + tuple(f"{metric}_{kind}" for metric in metrics for kind in _SIMILARITIES)


def _averaged(*metrics: str) -> tuple[str, ...]:
    averages = ("macro", "micro", "weighted", "samples", "macro_avg", "micro_avg", "binary")
    before = tuple(f"{average}_{metric}" for metric in metrics for average in averages)
    return before + tuple(f"{metric}_{average}" for metric in metrics for average in averages)


#: All of them, by what they measure.
KNOWN_METRICS: tuple[Metric, ...] = (
    # Right answers
    Metric(
        "accuracy", ("acc",), "accuracy", False, _SHARE,
        (_OF_LM_EVAL, _OF_SKLEARN, f"{_SPACES}/accuracy", _OF_INSPECT),
        alike=(
            "acc_norm", "normalized_accuracy", "acc_bytes", "acc_mutual_info", "acc_all",
            "acc_norm_nospace",
            "balanced_accuracy", "balanced_acc", "accuracy_balanced", "token_accuracy",
            "mean_token_accuracy", "word_accuracy", "sentence_accuracy", "sequence_accuracy",
            "top_1_accuracy", "top1_accuracy", "top_5_accuracy", "top5_accuracy", "top_1", "top_5",
            "accuracy_top_1", "accuracy_top_5", "top_k_accuracy", "subset_accuracy",
            "mean_accuracy", "src2trg_accuracy", "trg2src_accuracy", "overall_accuracy",
            "validation_accuracy", "test_accuracy", "eval_accuracy", "val_accuracy",
            "train_accuracy", "linear_accuracy", "mean_acc", "omni_math_accuracy",
            "cleva_top1_accuracy", "strict_acc", "code_eval_acc", "bbq_accuracy",
            *_by_similarity("accuracy"), *_averaged("accuracy"),
        ),
    ),
    Metric(
        "exact-match", ("exact_match", "em"), "accuracy", False, _SHARE,
        (_OF_LM_EVAL, _OF_HELM, f"{_SPACES}/exact_match"),
        alike=(
            "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "exact",
            "exact_match_indicator", "final_number_exact_match", "exact_set_match", "qem", "pem",
            "pqem", "extractive_match", "squad_em", "cleva_math_result_match", "contains",
        ),
    ),
    Metric(
        "instruction-following", ("ifeval_strict_accuracy",), "accuracy", False, _SHARE,
        (f"{_OF_LM_EVAL_TASKS}/ifeval", _OF_HELM_CAPABILITIES),
        alike=(
            "prompt_level_strict_acc", "prompt_level_loose_acc", "inst_level_strict_acc",
            "inst_level_loose_acc",
        ),
    ),
    Metric(
        "truthfulqa-mc", ("mc1", "mc2"), "accuracy", False, _SHARE,
        (f"{_OF_LM_EVAL_TASKS}/truthfulqa", "https://arxiv.org/abs/2109.07958"),
        alike=("truthfulqa_mc1", "truthfulqa_mc2", "bleu_acc", "rouge1_acc", "rouge2_acc",
               "rougel_acc"),
    ),
    Metric(
        "math-equivalence", ("math_equiv", "math_equiv_chain_of_thought"), "accuracy", False,
        _SHARE, (_OF_HELM, f"{_OF_LM_EVAL_TASKS}/minerva_math"),
        alike=("math_verify", "math_equivalent", "math_equivalent_chain_of_thought", "cot_correct",
               "chain_of_thought_correctness"),
    ),
    Metric(
        "inspect-scorer", ("inspect_ai.match",), "accuracy", False, (), (_OF_INSPECT,),
        alike=tuple(
            f"inspect_ai.{scorer}"
            for scorer in ("includes", "pattern", "answer", "choice", "exact", "math",
                           "model_graded_qa", "model_graded_fact")
        ),
    ),
    Metric(
        "pass-rate", ("pass", "pass_rate"), "pass_rate", False, _SHARE,
        ("https://arxiv.org/abs/2107.03374", f"{_SPACES}/code_eval", _OF_HELM),
        alike=("maj", "g_pass", "codegen_pass", "math_pass", "gpqa_pass", "resolve_rate",
               "resolved_rate", "resolved", "solve_rate", "task_success_rate",
               "success_rate", "execution_accuracy", "test_pass_rate"),
    ),
    Metric(
        "win-rate", ("win_rate", "winrate"), "win_rate", False, _SHARE,
        (f"{_GITHUB}/tatsu-lab/alpaca_eval", _OF_HELM),
        alike=("length_controlled_winrate", "lc_win_rate", "length_controlled_win_rate",
               "mean_win_rate"),
    ),
    Metric(
        "squad2", tuple(f"squad2_{name}" for name in (
            "exact", "f1", "hasans_exact", "hasans_f1", "noans_exact", "noans_f1", "best_exact",
            "best_f1",
        )), "f1", False, (Scale(0, 100, "percent", ("lm-evaluation-harness",)),),
        (_OF_LM_EVAL_TASKS + "/squadv2", "https://rajpurkar.github.io/SQuAD-explorer"),
        alike=tuple(f"squadv2_{name}" for name in (
            "exact", "f1", "hasans_exact", "hasans_f1", "noans_exact", "noans_f1", "best_exact",
            "best_f1",
        )),
    ),
    # Classes
    Metric(
        "f1", ("f1_score",), "f1", False, _SHARE,
        (_OF_LM_EVAL, _OF_SKLEARN, f"{_SPACES}/f1", _OF_HELM),
        alike=(
            "classification_macro_f1", "classification_micro_f1", "f1_set_match", "f1_abstractive",
            "f1_score_macro", "f1_score_micro", "f1_score_weighted", "f1_score_quasi",
            "loglikelihood_f1", "mf1", "squad_f1", "token_f1", "overall_f1", "seqeval_f1",
            "eval_f1", "test_f1", "val_f1", "qa_f1_score", "qa_f1", "best_f1", "fbeta", "f2",
            "f_score", "f_measure", "f_beta", "entity_f1", "macro_f1_score", "micro_f1_score",
            "weighted_f1_score",
            *_by_similarity("f1"), *_averaged("f1"),
        ),
    ),
    Metric(
        "precision", (), "precision", False, _SHARE, (_OF_SKLEARN, f"{_SPACES}/precision"),
        alike=("overall_precision", "eval_precision", "test_precision", "val_precision",
               "precision_score", "seqeval_precision",
               *_by_similarity("precision"), *_averaged("precision")),
    ),
    Metric(
        "recall", (), "recall", False, _SHARE, (_OF_SKLEARN, f"{_SPACES}/recall"),
        alike=("overall_recall", "eval_recall", "test_recall", "val_recall", "recall_score",
               "sensitivity", "true_positive_rate", "tpr", "uar",
               "unweighted_average_recall", "seqeval_recall",
               *_by_similarity("recall"), *_averaged("recall")),
    ),
    Metric(
        "specificity", ("true_negative_rate", "tnr"), "recall", False, _SHARE,
        (_OF_TORCHMETRICS, _OF_SKLEARN),
    ),
    Metric(
        "matthews-correlation", ("mcc", "matthews_corrcoef", "matthews_correlation"),
        "correlation", False, _SIGNED,
        (_OF_LM_EVAL, _OF_SKLEARN, f"{_SPACES}/matthews_correlation"),
        alike=("matthews_correlation_coefficient", *_by_similarity("mcc")),
    ),
    Metric(
        "kappa", ("cohen_kappa", "cohens_kappa", "cohen_kappa_score"), "agreement", False, _SIGNED,
        (_OF_SKLEARN, _OF_TORCHMETRICS),
        alike=("quadratic_weighted_kappa", "qwk", "fleiss_kappa", "krippendorff_alpha"),
    ),
    Metric(
        "auroc", ("roc_auc", "auc_roc", "rocauc", "roc_auc_score", "auc"), "ranking", False,
        _SHARE, (_OF_SKLEARN, f"{_SPACES}/roc_auc"),
        alike=("pr_auc", "auprc", "auc_pr", "average_auc", "selective_cov_acc_area",
               *_averaged("roc_auc", "auroc")),
    ),
    Metric(
        "average-precision", ("ap", "average_precision", "average_precision_score"), "ranking",
        False, _SHARE, (_OF_SKLEARN, _OF_MTEB, _OF_SBERT),
        alike=("lrap", *_by_similarity("ap", "average_precision"), *_averaged("ap")),
    ),
    Metric(
        "error-rate", ("error_rate", "classification_error", "top_1_error", "top_5_error"),
        "error_rate", True, _SHARE, (_OF_SKLEARN, "https://arxiv.org/abs/1409.0575"),
        alike=("eer", "equal_error_rate", "hamming_loss", "false_positive_rate", "fpr",
               "false_negative_rate", "fnr", "zero_one_loss"),
    ),
    # Search
    Metric(
        "ndcg", ("normalized_discounted_cumulative_gain",), "ranking", False, _SHARE,
        (_OF_SKLEARN, _OF_HELM, _OF_MTEB),
        alike=("ndcg_cut", *_by_similarity("ndcg")),
    ),
    Metric(
        "mean-average-precision", ("map", "mean_average_precision"), "ranking", False, _SHARE,
        (_OF_MTEB, _OF_SBERT, _OF_TORCHMETRICS),
        alike=("map50", "map50_95", "map_50", "map_75", "map75", "box_map", "bbox_map", "mask_map",
               "map@0.5", "map@0.5:0.95", "map@0.5(box)", "map@0.5:0.95(box)",
               *_by_similarity("map")),
    ),
    Metric(
        "mean-reciprocal-rank", ("mrr", "mean_reciprocal_rank", "helm.rr"), "ranking", False,
        _SHARE, (_OF_MTEB, _OF_HELM, _OF_LIGHTEVAL),
        alike=("reciprocal_rank", *_by_similarity("mrr")),
    ),
    Metric(
        "hit-rate", ("hit_rate", "hits", "hit"), "recall", False, _SHARE,
        (_OF_TORCHMETRICS, _OF_MTEB), alike=("cv_recall", *_by_similarity("hit_rate")),
    ),
    Metric(
        "paired-mrr", ("p_mrr",), "ranking", False, (Scale(-1, 1, "", (_MTEB,)),
                                                     Scale(-100, 100, "percent")),
        ("https://arxiv.org/abs/2403.15246",),
    ),
    Metric(
        "abstention", (), "ranking", False, (), ("https://arxiv.org/abs/2402.12997", _OF_MTEB),
        alike=tuple(
            f"nauc_{metric}_at_{k}_{way}"
            for metric in ("ndcg", "map", "mrr", "precision", "recall")
            for k in (1, 3, 5, 10, 20, 50, 100, 1000)
            for way in ("max", "std", "diff1")
        ),
    ),
    # Groups
    Metric(
        "v-measure", ("v_measure", "v_measure_score"), "clustering", False, _SHARE,
        (_OF_SKLEARN, _OF_MTEB),
        alike=("homogeneity", "completeness", "nmi", "normalized_mutual_info", "cluster_accuracy"),
    ),
    Metric(
        "rand-index", ("adjusted_rand_index", "ari", "adjusted_rand_score"), "clustering", False,
        (Scale(-0.5, 1),), (_OF_SKLEARN,),
    ),
    Metric(
        "silhouette", ("silhouette_score",), "clustering", False, (Scale(-1, 1),), (_OF_SKLEARN,)
    ),
    # Numbers
    Metric(
        "pearson", ("pearsonr", "pearson_correlation", "pearson_r", "pcc"), "correlation", False,
        _SIGNED, (f"{_SPACES}/pearsonr", _OF_MTEB, _OF_SBERT),
        alike=("pearson_corr", "pearson_correlation_coefficient", "plcc",
               *_by_similarity("pearson", "pearsonr")),
    ),
    Metric(
        "spearman", ("spearmanr", "spearman_correlation", "spearman_rho"), "correlation", False,
        _SIGNED, (f"{_SPACES}/spearmanr", _OF_MTEB, _OF_SBERT),
        alike=("spearman_corr", "spearman_correlation_coefficient", "srcc",
               *_by_similarity("spearman", "spearmanr")),
    ),
    Metric(
        "kendall", ("kendalltau", "kendall_tau", "kendall_correlation"), "correlation", False,
        _SIGNED, ("https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.kendalltau.html",
                  _OF_MTEB),
        alike=("concordance_correlation_coefficient", "ccc"),
    ),
    Metric(
        "mae", ("mean_absolute_error",), "error", True, _POSITIVE,
        (_OF_SKLEARN, f"{_SPACES}/mae", _OF_LM_EVAL),
        alike=("median_absolute_error", "absolute_value_difference", "max_error", "eval_mae",
               "test_mae", "val_mae", "absolute_error", "mean_abs_error"),
    ),
    Metric(
        "mse", ("mean_squared_error",), "error", True, _POSITIVE,
        (_OF_SKLEARN, f"{_SPACES}/mse"), alike=("eval_mse", "test_mse", "val_mse", "msle",
                                               "mean_squared_log_error"),
    ),
    Metric(
        "rmse", ("root_mean_squared_error", "root_mean_square_error"), "error", True, _POSITIVE,
        (_OF_SKLEARN, f"{_SPACES}/mse"), alike=("eval_rmse", "test_rmse", "val_rmse", "rmsle",
                                               "nrmse", "normalized_rmse"),
    ),
    Metric(
        "mape", ("mean_absolute_percentage_error",), "error", True, _POSITIVE,
        (_OF_SKLEARN, f"{_SPACES}/mape"), alike=("smape", "symmetric_mape", "wape", "mase",
                                                "mean_absolute_scaled_error"),
    ),
    Metric(
        "negative-error", ("negative_mse",), "error", False, _NEGATIVE, (_OF_SBERT, _OF_SKLEARN),
        alike=("neg_mean_squared_error", "neg_mean_absolute_error",
               "neg_root_mean_squared_error"),
    ),
    Metric(
        "r2", ("r2_score", "r_squared", "r^2", "coefficient_of_determination"), "correlation",
        False, (Scale(-inf, 1),), (_OF_SKLEARN, f"{_SPACES}/r_squared"),
        alike=("explained_variance", "explained_variance_score"),
    ),
    Metric(
        "geometric-distance", ("helm.distance",), "error", True, _POSITIVE, (_OF_HELM,),
        alike=("mean_euclidean_distance",),
    ),
    # Texts
    Metric(
        "bleu", ("sacrebleu",), "text_overlap", False, _SACREBLEU,
        (_OF_SACREBLEU, _OF_LM_EVAL, f"{_SPACES}/bleu"),
        alike=("bleu_score", "sacrebleu_score", "corpus_bleu", "spbleu", "codebleu", "gleu",
               "google_bleu", "eval_bleu", "test_bleu", "bleu_max", "sacrebleu_bleu",
               "cleva_machine_translation_bleu"),
    ),
    *(
        Metric(
            f"bleu-{n}", (f"bleu_{n}", f"bleu{n}"), "text_overlap", False, _SHARE,
            (_OF_HELM, _OF_LIGHTEVAL), alike=("chinese_bleu_1",) if n == 1 else (),
        )
        for n in (1, 2, 3, 4)
    ),
    *(
        Metric(
            f"rouge-{n}", (f"rouge_{n}", f"rouge{n}"), "text_overlap", False, _SHARE,
            (_OF_HELM, _OF_LIGHTEVAL, f"{_SPACES}/rouge"),
            alike=(f"eval_rouge{n}", f"rouge_{n}_f1", f"rouge{n}_fmeasure",
                   *((f"rouge{n}sum", f"rouge_{n}sum", "rouge") if n == "l" else ()),
                   *(("chinese_rouge_2",) if n == "2" else ())),
        )
        for n in ("1", "2", "l")
    ),
    Metric(
        "chrf", ("chrf_score",), "text_overlap", False,
        (Scale(0, 100, "percent", (_LM_EVAL, _LIGHTEVAL)), Scale(0, 1, "proportion", (_HELM,))),
        (_OF_SACREBLEU, _OF_LM_EVAL, f"{_SPACES}/chrf"),
        alike=("chrf++", "chrf_plus", "chrf_plus_plus", "chrfpp", "chrf2", "chrf2++"),
    ),
    Metric(
        "meteor", ("meteor_score",), "text_overlap", False, _SHARE,
        (f"{_SPACES}/meteor", "https://aclanthology.org/W05-0909/"),
    ),
    Metric(
        "cider", ("cider_d",), "text_overlap", False, _POSITIVE,
        ("https://arxiv.org/abs/1411.5726",),
    ),
    Metric(
        "spice", (), "text_overlap", False, _SHARE, ("https://arxiv.org/abs/1607.08822",),
    ),
    Metric(
        "sari", (), "text_overlap", False,
        (Scale(0, 100, "percent"), Scale(0, 1, "proportion")), (f"{_SPACES}/sari",),
    ),
    Metric(
        "overlap-with-true-answers", ("rouge1_max", "rouge2_max", "rougel_max"), "text_overlap",
        False, (Scale(0, 100, "percent"),), (f"{_OF_LM_EVAL_TASKS}/truthfulqa",),
    ),
    Metric(
        "overlap-with-true-over-false-answers",
        ("bleu_diff", "rouge1_diff", "rouge2_diff", "rougel_diff"), "text_overlap",
        False, (Scale(-100, 100, "percent"),), (f"{_OF_LM_EVAL_TASKS}/truthfulqa",),
    ),
    Metric(
        "set-overlap", ("iou_set_match",), "set_overlap", False, _SHARE,
        (_OF_HELM, _OF_SKLEARN, _OF_TORCHMETRICS),
        alike=("iou", "mean_iou", "miou", "jaccard", "jaccard_score", "jaccard_index", "dice",
               "dice_score", "dice_coefficient", "anls"),
    ),
    Metric(
        "bertscore", ("bert_score",), "semantic_similarity", False, (*_SIGNED, *_PROPORTION),
        (f"{_SPACES}/bertscore", "https://arxiv.org/abs/1904.09675", _OF_HELM),
        alike=("bertscore_f", "bertscore_p", "bertscore_r", "bertscore_f1", "bert_f1",
               "bertscore_precision", "bertscore_recall", "bert_score_f1"),
    ),
    Metric(
        "learned-similarity", ("comet", "bleurt"), "semantic_similarity", False, (),
        (f"{_SPACES}/comet", f"{_SPACES}/bleurt", f"{_GITHUB}/Unbabel/COMET"),
        alike=("comet_kiwi", "cometkiwi", "xcomet", "comet22", "comet_22", "wmt22_comet_da",
               "bleurt_max", "bartscore", "moverscore", "mauve", "clip_score", "clipscore"),
    ),
    Metric(
        "summary-faithfulness", ("summac", "qafacteval"), "faithfulness", False, (),
        (_OF_HELM, "https://aclanthology.org/2022.tacl-1.10/"),
        alike=("humaneval_faithfulness", "humaneval_relevance", "humaneval_coherence"),
    ),
    Metric(
        "wer", ("word_error_rate",), "edit_distance", True, _RATE,
        (f"{_SPACES}/wer", _OF_TORCHMETRICS),
        alike=("mer", "match_error_rate", "eval_wer", "test_wer", "val_wer", "wer_ortho",
               "normalized_wer", "wer_lm", "wer_without_norm", "norm_wer"),
    ),
    Metric(
        "cer", ("character_error_rate",), "edit_distance", True, _RATE,
        (f"{_SPACES}/cer", _OF_TORCHMETRICS),
        alike=("eval_cer", "test_cer", "val_cer", "phoneme_error_rate", "der",
               "diarization_error_rate", "sentence_error_rate"),
    ),
    Metric(
        "ter", ("translation_edit_rate", "translation_error_rate"), "edit_distance", True,
        _SACREBLEU_RATE, (_OF_SACREBLEU, f"{_SPACES}/ter"),
    ),
    Metric(
        "edit-distance", ("levenshtein", "levenshtein_distance"), "edit_distance", True, _POSITIVE,
        (_OF_TORCHMETRICS,), alike=("normalized_edit_distance", "ned"),
    ),
    Metric(
        "copied-text", ("helm.longest_common_prefix_length",), "memorization", True, _POSITIVE,
        (_OF_HELM,), alike=("helm.edit_similarity",),
    ),
    Metric(
        "distance-from-copied-text", ("helm.edit_distance",), "memorization", False, _POSITIVE,
        (_OF_HELM,),
    ),
    # Probabilities
    Metric(
        "perplexity", ("ppl",), "perplexity", True, _FROM_ONE,
        (_OF_LM_EVAL, _OF_HELM, f"{_SPACES}/perplexity"),
        alike=("word_perplexity", "byte_perplexity", "token_perplexity", "weighted_perplexity",
               "word_level_perplexity", "byte_level_perplexity", "token_level_perplexity",
               "eval_perplexity", "test_perplexity", "val_perplexity", "validation_perplexity",
               "pseudo_perplexity", "target_perplexity", "prediction_perplexity",
               "perplexity_per_token", "perplexity_per_seq"),
    ),
    Metric(
        "bits-per-byte", ("bits_per_byte", "bpb"), "compression_rate", True,
        (Scale(0, inf, "bits_per_byte"),), (_OF_LM_EVAL, _OF_HELM),
    ),
    Metric(
        "bits-per-character", ("bits_per_character", "bpc", "bits_per_char"), "compression_rate",
        True, _POSITIVE, ("https://arxiv.org/abs/1609.07843",),
    ),
    Metric(
        "loss", ("eval_loss", "test_loss", "val_loss", "validation_loss", "train_loss"), "loss",
        True, (), (_OF_SKLEARN, "https://huggingface.co/docs/transformers/main_classes/trainer"),
        alike=("training_loss",),
    ),
    Metric(
        "log-loss", ("log_loss", "cross_entropy", "cross_entropy_loss", "nll",
                     "negative_log_likelihood"),
        "loss", True, _POSITIVE, (_OF_SKLEARN,), alike=("nll_loss", "hinge_loss"),
    ),
    Metric(
        "log-probability", ("logprob", "logprob_per_byte"), "likelihood", False, _NEGATIVE,
        (_OF_HELM,), alike=("log_probability", "mean_logprob", "normalized_logprob"),
    ),
    Metric(
        "brier", ("brier_score", "brier_score_loss"), "brier_score", True,
        (Scale(0, 2, "", (_LM_EVAL,)), Scale(0, 1)), (_OF_LM_EVAL, _OF_SKLEARN),
    ),
    Metric(
        "calibration-error", ("calibration_error", "ece", "expected_calibration_error"),
        "calibration_error", True, _SHARE, ("https://arxiv.org/abs/1706.04599", _OF_HELM,
                                            _OF_TORCHMETRICS),
        alike=("ece_1_bin", "ece_10_bin", "platt_ece_1_bin", "platt_ece_10_bin", "mce",
               "maximum_calibration_error"),
    ),
    # Harm
    Metric(
        "toxicity", ("toxic_frac", "toxicity_ratio"), "toxicity", True, _SHARE,
        (_OF_HELM, f"{_MEASUREMENTS}/toxicity"),
        alike=("expected_max_toxicity", "max_toxicity_probability", "toxicity_score",
               "max_toxicity", "toxic_fraction"),
    ),
    Metric(
        "stereotypes", ("pct_stereotype",), "bias", True, _SHARE,
        (f"{_OF_LM_EVAL_TASKS}/crows_pairs", _OF_HELM),
        alike=("bias_metric", "bbq_metric_ambiguous_bias", "bbq_metric_unambiguous_bias"),
    ),
    Metric(
        "likelihood-difference", ("likelihood_diff",), "bias", True, _POSITIVE,
        (f"{_OF_LM_EVAL_TASKS}/crows_pairs",),
    ),
    Metric(
        "parity-difference", ("demographic_parity_difference", "equalized_odds_difference"),
        "bias", True, _PROPORTION, (_OF_HELM, "https://fairlearn.org/main/user_guide/assessment/"),
    ),
    Metric(
        "attack-success-rate", ("attack_success_rate",), "attack_success", True,
        _SHARE, ("https://arxiv.org/abs/2402.04249",),
    ),
    Metric(
        "hallucination-rate", ("hallucination_rate",), "hallucination", True, _SHARE,
        (f"{_GITHUB}/vectara/hallucination-leaderboard",),
    ),
    # Ratings
    Metric(
        "reward", ("mean_reward", "average_reward", "avg_reward", "episode_reward"), "reward",
        False, (), ("https://huggingface.co/learn/deep-rl-course/unit1/rl-framework",),
        alike=("mean_episode_reward", "episodic_return", "mean_return"),
    ),
    Metric(
        "rating", ("elo", "elo_rating", "arena_elo", "arena_score", "bradley_terry_rating"),
        "rating", False, (), ("https://arxiv.org/abs/2403.04132",),
    ),
    Metric(
        "rank", ("mean_rank", "average_rank", "borda_rank"), "rank", True, _FROM_ONE,
        ("https://arxiv.org/abs/2502.13595",),
    ),
    Metric(
        "wildbench", ("wildbench_score",), "rating", False, (Scale(1, 10, "points"),),
        (_OF_HELM_CAPABILITIES,),
    ),
    Metric(
        "wildbench-rescaled", ("wildbench_score_rescaled",), "rating", False, _PROPORTION,
        (_OF_HELM_CAPABILITIES,),
    ),
    # Pictures and sound
    Metric(
        "frechet-distance-of-pictures", ("fid", "frechet_inception_distance"), "image_quality",
        True, _POSITIVE, ("https://arxiv.org/abs/1706.08500", _OF_TORCHMETRICS),
        alike=("kid", "fvd", "fad", "lpips", "frechet_audio_distance", "frechet_video_distance"),
    ),
    Metric(
        "picture-quality", ("psnr", "ssim"), "image_quality", False, (),
        (_OF_TORCHMETRICS,), alike=("inception_score", "ms_ssim", "si_sdr", "sdr", "stoi", "pesq"),
    ),
    # What it takes
    Metric(
        "latency", ("inference_time", "inference_runtime", "response_time"), "latency", True,
        _POSITIVE, (_OF_HELM, "https://docs.mlcommons.org/inference/"),
        alike=("mean_latency", "ttft", "time_to_first_token", "tpot", "time_per_output_token",
               "eval_runtime", "inference_denoised_runtime", "inference_idealized_runtime",
               "p50_latency", "p90_latency", "p95_latency", "p99_latency", "latency_ms",
               "latency_s", "rtf", "real_time_factor"),
    ),
    Metric(
        "throughput", ("tokens_per_second", "samples_per_second"), "throughput", False, _POSITIVE,
        ("https://docs.mlcommons.org/inference/",
         "https://huggingface.co/docs/transformers/main_classes/trainer"),
        alike=("rtfx", "tokens_per_sec", "steps_per_second", "requests_per_second",
               "eval_samples_per_second", "eval_steps_per_second", "output_tokens_per_second"),
    ),
    Metric(
        "cost", ("total_cost", "cost_usd", "mean_cost", "cost_per_task"), "cost", True, _POSITIVE,
        (_OF_HELM, "https://hal.cs.princeton.edu"),
        alike=("training_co2_cost", "training_energy_cost", "co2_emissions",
               "kg_co2_emissions", "energy_kwh"),
    ),
    # How far scores are spread: neither better nor worse
    Metric(
        "spread", ("std", "stderr", "bootstrap_stderr", "bootstrap_std", "var"), "dispersion",
        None, _POSITIVE, (_OF_INSPECT, _OF_LM_EVAL),
        alike=("standard_deviation", "standard_error", "stddev", "variance"),
    ),
)  # fmt: skip
