"""Generated from schemas/ltm-result.schema.json by scripts/generate.py with fastjsonschema: do not edit."""

import re


class Invalid(Exception):
    """The data does not fit the schema."""


REGEX_PATTERNS = {'^(Test|Agent|System) \\([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{6})?\\): ': re.compile('^(Test|Agent|System) \\([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{6})?\\): ')}
NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['needles']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data_keys = set(data.keys())
            if 'max_score' in data_keys:
                data_keys.remove('max_score')
                data__maxscore = data['max_score']
                if not (isinstance(data__maxscore, (int, float)) and (not isinstance(data__maxscore, bool)) and (data__maxscore == 1)):
                    raise Invalid
            if 'score' in data_keys:
                data_keys.remove('score')
                data__score = data['score']
                if isinstance(data__score, (int, float)) and (not isinstance(data__score, bool)):
                    if data__score > 1:
                        raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['auto_score']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['needles']) - data.keys()
            if data__missing_keys:
                raise Invalid
    try:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['auto_reasoning']) - data.keys()
            if data__missing_keys:
                raise Invalid
    except (Invalid,):
        pass
    else:
        data_is_dict = isinstance(data, dict)
        if data_is_dict:
            data__missing_keys = set(['needles']) - data.keys()
            if data__missing_keys:
                raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['task_log', 'actual_responses', 'score', 'max_score', 'reasoning', 'tokens', 'characters', 'full_log', 'expected_responses']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'task_log' in data_keys:
            data_keys.remove('task_log')
            data__tasklog = data['task_log']
            if not isinstance(data__tasklog, (list, tuple)):
                raise Invalid
            data__tasklog_is_list = isinstance(data__tasklog, (list, tuple))
            if data__tasklog_is_list:
                data__tasklog_len = len(data__tasklog)
                if data__tasklog_len < 2:
                    raise Invalid
                for data__tasklog_x, data__tasklog_item in enumerate(data__tasklog):
                    if not isinstance(data__tasklog_item, str):
                        raise Invalid
                    if isinstance(data__tasklog_item, str):
                        if not REGEX_PATTERNS['^(Test|Agent|System) \\([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{6})?\\): '].search(data__tasklog_item):
                            raise Invalid
        if 'full_log' in data_keys:
            data_keys.remove('full_log')
            data__fulllog = data['full_log']
            if not isinstance(data__fulllog, (list, tuple)):
                raise Invalid
            data__fulllog_is_list = isinstance(data__fulllog, (list, tuple))
            if data__fulllog_is_list:
                data__fulllog_len = len(data__fulllog)
                for data__fulllog_x, data__fulllog_item in enumerate(data__fulllog):
                    if not isinstance(data__fulllog_item, str):
                        raise Invalid
        if 'actual_responses' in data_keys:
            data_keys.remove('actual_responses')
            data__actualresponses = data['actual_responses']
            if not isinstance(data__actualresponses, (list, tuple)):
                raise Invalid
            data__actualresponses_is_list = isinstance(data__actualresponses, (list, tuple))
            if data__actualresponses_is_list:
                data__actualresponses_len = len(data__actualresponses)
                if data__actualresponses_len < 1:
                    raise Invalid
                for data__actualresponses_x, data__actualresponses_item in enumerate(data__actualresponses):
                    if not isinstance(data__actualresponses_item, str):
                        raise Invalid
        if 'expected_responses' in data_keys:
            data_keys.remove('expected_responses')
            data__expectedresponses = data['expected_responses']
            if not isinstance(data__expectedresponses, (list, tuple)):
                raise Invalid
            data__expectedresponses_is_list = isinstance(data__expectedresponses, (list, tuple))
            if data__expectedresponses_is_list:
                data__expectedresponses_len = len(data__expectedresponses)
                for data__expectedresponses_x, data__expectedresponses_item in enumerate(data__expectedresponses):
                    data__expectedresponses_item_any_of_count1 = 0
                    if not data__expectedresponses_item_any_of_count1:
                        try:
                            if not isinstance(data__expectedresponses_item, str):
                                raise Invalid
                            data__expectedresponses_item_any_of_count1 += 1
                        except (Invalid,):
                            pass
                    if not data__expectedresponses_item_any_of_count1:
                        try:
                            if not isinstance(data__expectedresponses_item, (list, tuple)):
                                raise Invalid
                            data__expectedresponses_item_is_list = isinstance(data__expectedresponses_item, (list, tuple))
                            if data__expectedresponses_item_is_list:
                                data__expectedresponses_item_len = len(data__expectedresponses_item)
                                if data__expectedresponses_item_len < 1:
                                    raise Invalid
                                for data__expectedresponses_item_x, data__expectedresponses_item_item in enumerate(data__expectedresponses_item):
                                    if not isinstance(data__expectedresponses_item_item, (str, int)) and (not (isinstance(data__expectedresponses_item_item, float) and data__expectedresponses_item_item.is_integer())) or isinstance(data__expectedresponses_item_item, bool):
                                        raise Invalid
                            data__expectedresponses_item_any_of_count1 += 1
                        except (Invalid,):
                            pass
                    if not data__expectedresponses_item_any_of_count1:
                        raise Invalid
        if 'reasoning' in data_keys:
            data_keys.remove('reasoning')
            data__reasoning = data['reasoning']
            if not isinstance(data__reasoning, (list, tuple)):
                raise Invalid
            data__reasoning_is_list = isinstance(data__reasoning, (list, tuple))
            if data__reasoning_is_list:
                data__reasoning_len = len(data__reasoning)
                if data__reasoning_len < 1:
                    raise Invalid
                for data__reasoning_x, data__reasoning_item in enumerate(data__reasoning):
                    if not isinstance(data__reasoning_item, str):
                        raise Invalid
        if 'score' in data_keys:
            data_keys.remove('score')
            data__score = data['score']
            if not isinstance(data__score, (int, float)) or isinstance(data__score, bool):
                raise Invalid
            if isinstance(data__score, (int, float)) and (not isinstance(data__score, bool)):
                if data__score < 0:
                    raise Invalid
        if 'max_score' in data_keys:
            data_keys.remove('max_score')
            data__maxscore = data['max_score']
            if not isinstance(data__maxscore, int) and (not (isinstance(data__maxscore, float) and data__maxscore.is_integer())) or isinstance(data__maxscore, bool):
                raise Invalid
            if isinstance(data__maxscore, (int, float)) and (not isinstance(data__maxscore, bool)):
                if data__maxscore < 1:
                    raise Invalid
        if 'tokens' in data_keys:
            data_keys.remove('tokens')
            data__tokens = data['tokens']
            if not isinstance(data__tokens, int) and (not (isinstance(data__tokens, float) and data__tokens.is_integer())) or isinstance(data__tokens, bool):
                raise Invalid
            if isinstance(data__tokens, (int, float)) and (not isinstance(data__tokens, bool)):
                if data__tokens < 0:
                    raise Invalid
        if 'characters' in data_keys:
            data_keys.remove('characters')
            data__characters = data['characters']
            if not isinstance(data__characters, int) and (not (isinstance(data__characters, float) and data__characters.is_integer())) or isinstance(data__characters, bool):
                raise Invalid
            if isinstance(data__characters, (int, float)) and (not isinstance(data__characters, bool)):
                if data__characters < 0:
                    raise Invalid
        if 'needles' in data_keys:
            data_keys.remove('needles')
            data__needles = data['needles']
            if not isinstance(data__needles, int) and (not (isinstance(data__needles, float) and data__needles.is_integer())) or isinstance(data__needles, bool):
                raise Invalid
            if isinstance(data__needles, (int, float)) and (not isinstance(data__needles, bool)):
                if data__needles < 0:
                    raise Invalid
        if 'auto_score' in data_keys:
            data_keys.remove('auto_score')
            data__autoscore = data['auto_score']
            if not isinstance(data__autoscore, (int, float)) or isinstance(data__autoscore, bool):
                raise Invalid
            if isinstance(data__autoscore, (int, float)) and (not isinstance(data__autoscore, bool)):
                if data__autoscore < 0:
                    raise Invalid
                if data__autoscore > 1:
                    raise Invalid
        if 'auto_reasoning' in data_keys:
            data_keys.remove('auto_reasoning')
            data__autoreasoning = data['auto_reasoning']
            if not isinstance(data__autoreasoning, (list, tuple)):
                raise Invalid
            data__autoreasoning_is_list = isinstance(data__autoreasoning, (list, tuple))
            if data__autoreasoning_is_list:
                data__autoreasoning_len = len(data__autoreasoning)
                for data__autoreasoning_x, data__autoreasoning_item in enumerate(data__autoreasoning):
                    if not isinstance(data__autoreasoning_item, str):
                        raise Invalid
        if 'auto_actual_responses' in data_keys:
            data_keys.remove('auto_actual_responses')
            data__autoactualresponses = data['auto_actual_responses']
            if not isinstance(data__autoactualresponses, (list, tuple)):
                raise Invalid
            data__autoactualresponses_is_list = isinstance(data__autoactualresponses, (list, tuple))
            if data__autoactualresponses_is_list:
                data__autoactualresponses_len = len(data__autoactualresponses)
                for data__autoactualresponses_x, data__autoactualresponses_item in enumerate(data__autoactualresponses):
                    if not isinstance(data__autoactualresponses_item, str):
                        raise Invalid
        if 'auto reasoning' in data_keys:
            data_keys.remove('auto reasoning')
            data__autoreasoning = data['auto reasoning']
            if not isinstance(data__autoreasoning, (list, tuple)):
                raise Invalid
            data__autoreasoning_is_list = isinstance(data__autoreasoning, (list, tuple))
            if data__autoreasoning_is_list:
                data__autoreasoning_len = len(data__autoreasoning)
                for data__autoreasoning_x, data__autoreasoning_item in enumerate(data__autoreasoning):
                    if not isinstance(data__autoreasoning_item, str):
                        raise Invalid
        if data_keys:
            raise Invalid
    return data
