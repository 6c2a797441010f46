"""Generated from schemas/locomo.schema.json by scripts/generate.py with fastjsonschema: do not edit."""

import re


class Invalid(Exception):
    """The data does not fit the schema."""


REGEX_PATTERNS = {'^session_[1-9][0-9]*$': re.compile('^session_[1-9][0-9]*$'), '^session_[1-9][0-9]*_date_time$': re.compile('^session_[1-9][0-9]*_date_time$')}
NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['qa']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'sample_id' in data_keys:
            data_keys.remove('sample_id')
            data__sampleid = data['sample_id']
            if not isinstance(data__sampleid, str):
                raise Invalid
        if 'speaker_a' in data_keys:
            data_keys.remove('speaker_a')
            data__speakera = data['speaker_a']
            if not isinstance(data__speakera, str):
                raise Invalid
        if 'speaker_b' in data_keys:
            data_keys.remove('speaker_b')
            data__speakerb = data['speaker_b']
            if not isinstance(data__speakerb, str):
                raise Invalid
        if 'conversation' in data_keys:
            data_keys.remove('conversation')
            data__conversation = data['conversation']
            if not isinstance(data__conversation, dict):
                raise Invalid
            data__conversation_is_dict = isinstance(data__conversation, dict)
            if data__conversation_is_dict:
                data__conversation_keys = set(data__conversation.keys())
                if 'speaker_a' in data__conversation_keys:
                    data__conversation_keys.remove('speaker_a')
                    data__conversation__speakera = data__conversation['speaker_a']
                    if not isinstance(data__conversation__speakera, str):
                        raise Invalid
                if 'speaker_b' in data__conversation_keys:
                    data__conversation_keys.remove('speaker_b')
                    data__conversation__speakerb = data__conversation['speaker_b']
                    if not isinstance(data__conversation__speakerb, str):
                        raise Invalid
                for data__conversation_key, data__conversation_val in data__conversation.items():
                    if REGEX_PATTERNS['^session_[1-9][0-9]*$'].search(data__conversation_key):
                        if data__conversation_key in data__conversation_keys:
                            data__conversation_keys.remove(data__conversation_key)
                        if not isinstance(data__conversation_val, (list, tuple)):
                            raise Invalid
                        data__conversation_val_is_list = isinstance(data__conversation_val, (list, tuple))
                        if data__conversation_val_is_list:
                            data__conversation_val_len = len(data__conversation_val)
                            for data__conversation_val_x, data__conversation_val_item in enumerate(data__conversation_val):
                                validate_turn(data__conversation_val_item)
                    if REGEX_PATTERNS['^session_[1-9][0-9]*_date_time$'].search(data__conversation_key):
                        if data__conversation_key in data__conversation_keys:
                            data__conversation_keys.remove(data__conversation_key)
                        if not isinstance(data__conversation_val, str):
                            raise Invalid
        if 'qa' in data_keys:
            data_keys.remove('qa')
            data__qa = data['qa']
            if not isinstance(data__qa, (list, tuple)):
                raise Invalid
            data__qa_is_list = isinstance(data__qa, (list, tuple))
            if data__qa_is_list:
                data__qa_len = len(data__qa)
                for data__qa_x, data__qa_item in enumerate(data__qa):
                    if not isinstance(data__qa_item, dict):
                        raise Invalid
                    data__qa_item_is_dict = isinstance(data__qa_item, dict)
                    if data__qa_item_is_dict:
                        data__qa_item__missing_keys = set(['question', 'evidence', 'category']) - data__qa_item.keys()
                        if data__qa_item__missing_keys:
                            raise Invalid
                        data__qa_item_keys = set(data__qa_item.keys())
                        if 'question' in data__qa_item_keys:
                            data__qa_item_keys.remove('question')
                            data__qa_item__question = data__qa_item['question']
                            if not isinstance(data__qa_item__question, str):
                                raise Invalid
                            if isinstance(data__qa_item__question, str):
                                data__qa_item__question_len = len(data__qa_item__question)
                                if data__qa_item__question_len < 1:
                                    raise Invalid
                        if 'answer' in data__qa_item_keys:
                            data__qa_item_keys.remove('answer')
                            data__qa_item__answer = data__qa_item['answer']
                            if not isinstance(data__qa_item__answer, (str, int, float)) or isinstance(data__qa_item__answer, bool):
                                raise Invalid
                            if isinstance(data__qa_item__answer, str):
                                data__qa_item__answer_len = len(data__qa_item__answer)
                                if data__qa_item__answer_len < 1:
                                    raise Invalid
                        if 'adversarial_answer' in data__qa_item_keys:
                            data__qa_item_keys.remove('adversarial_answer')
                            data__qa_item__adversarialanswer = data__qa_item['adversarial_answer']
                            if not isinstance(data__qa_item__adversarialanswer, (str, int, float)) or isinstance(data__qa_item__adversarialanswer, bool):
                                raise Invalid
                            if isinstance(data__qa_item__adversarialanswer, str):
                                data__qa_item__adversarialanswer_len = len(data__qa_item__adversarialanswer)
                                if data__qa_item__adversarialanswer_len < 1:
                                    raise Invalid
                        if 'evidence' in data__qa_item_keys:
                            data__qa_item_keys.remove('evidence')
                            data__qa_item__evidence = data__qa_item['evidence']
                            if not isinstance(data__qa_item__evidence, (list, tuple)):
                                raise Invalid
                            data__qa_item__evidence_is_list = isinstance(data__qa_item__evidence, (list, tuple))
                            if data__qa_item__evidence_is_list:
                                data__qa_item__evidence_len = len(data__qa_item__evidence)
                                for data__qa_item__evidence_x, data__qa_item__evidence_item in enumerate(data__qa_item__evidence):
                                    if not isinstance(data__qa_item__evidence_item, str):
                                        raise Invalid
                        if 'category' in data__qa_item_keys:
                            data__qa_item_keys.remove('category')
                            data__qa_item__category = data__qa_item['category']
                            if not isinstance(data__qa_item__category, int) and (not (isinstance(data__qa_item__category, float) and data__qa_item__category.is_integer())) or isinstance(data__qa_item__category, bool):
                                raise Invalid
        for data_key, data_val in data.items():
            if REGEX_PATTERNS['^session_[1-9][0-9]*$'].search(data_key):
                if data_key in data_keys:
                    data_keys.remove(data_key)
                if not isinstance(data_val, (list, tuple)):
                    raise Invalid
                data_val_is_list = isinstance(data_val, (list, tuple))
                if data_val_is_list:
                    data_val_len = len(data_val)
                    for data_val_x, data_val_item in enumerate(data_val):
                        validate_turn(data_val_item)
            if REGEX_PATTERNS['^session_[1-9][0-9]*_date_time$'].search(data_key):
                if data_key in data_keys:
                    data_keys.remove(data_key)
                if not isinstance(data_val, str):
                    raise Invalid
    return data

def validate_turn(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['speaker', 'dia_id', 'text']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'speaker' in data_keys:
            data_keys.remove('speaker')
            data__speaker = data['speaker']
            if not isinstance(data__speaker, str):
                raise Invalid
        if 'dia_id' in data_keys:
            data_keys.remove('dia_id')
            data__diaid = data['dia_id']
            if not isinstance(data__diaid, str):
                raise Invalid
        if 'text' in data_keys:
            data_keys.remove('text')
            data__text = data['text']
            if not isinstance(data__text, str):
                raise Invalid
        if 'img_url' in data_keys:
            data_keys.remove('img_url')
            data__imgurl = data['img_url']
            if not isinstance(data__imgurl, (list, tuple, str)):
                raise Invalid
        if 'blip_caption' in data_keys:
            data_keys.remove('blip_caption')
            data__blipcaption = data['blip_caption']
            if not isinstance(data__blipcaption, str):
                raise Invalid
        if 'query' in data_keys:
            data_keys.remove('query')
            data__query = data['query']
            if not isinstance(data__query, str):
                raise Invalid
    return data
